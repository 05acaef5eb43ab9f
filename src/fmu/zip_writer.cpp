#include <fmt/format.h>
#include <zlib.h>

#include <limits>

#include "fmu/zip_archive.hpp"

namespace cardan {
namespace {

void put(std::string& bytes, std::uint32_t value, int size) {
  for (int i = 0; i < size; ++i, value >>= 8) bytes += static_cast<char>(value & 255);
}

std::string deflated(std::string_view contents) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    throw ArchiveError("there is no memory to pack it");
  std::string packed(deflateBound(&stream, contents.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(contents.data()));
  stream.avail_in = static_cast<uInt>(contents.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  const int status = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  if (status != Z_STREAM_END) throw ArchiveError("it cannot be packed");
  return packed;
}

}  // namespace

/// Fields of both headers from "version needed" to "extra field length", as the ZIP format orders them.
void ZipWriter::add(const std::string& name, std::string_view contents) {
  if (contents.size() > std::numeric_limits<std::int32_t>::max() ||
      bytes_.size() > std::numeric_limits<std::int32_t>::max())
    throw ArchiveError(fmt::format("'{}' is too large for an archive", name));
  const std::string packed = deflated(contents);
  const bool smaller = packed.size() < contents.size();
  const std::string_view stored = smaller ? std::string_view(packed) : contents;
  std::string fields;
  put(fields, 20, 2);      // version 2.0 of the format
  put(fields, 0x0800, 2);  // names are UTF-8
  put(fields, smaller ? 8 : 0, 2);
  put(fields, 0, 2);       // time
  put(fields, 0x0021, 2);  // date: the first day of 1980
  put(fields,
      static_cast<std::uint32_t>(crc32(crc32(0, nullptr, 0), reinterpret_cast<const Bytef*>(contents.data()),
                                       static_cast<uInt>(contents.size()))),
      4);
  put(fields, static_cast<std::uint32_t>(stored.size()), 4);
  put(fields, static_cast<std::uint32_t>(contents.size()), 4);
  put(fields, static_cast<std::uint32_t>(name.size()), 2);
  put(fields, 0, 2);
  const auto offset = static_cast<std::uint32_t>(bytes_.size());
  put(bytes_, 0x04034b50, 4);
  bytes_ += fields + name;
  bytes_ += stored;
  put(directory_, 0x02014b50, 4);
  put(directory_, 3 << 8 | 20, 2);  // made on Unix
  directory_ += fields;
  put(directory_, 0, 2);  // comment
  put(directory_, 0, 2);  // disk
  put(directory_, 0, 2);
  put(directory_, 0100644u << 16, 4);  // a file that all may read
  put(directory_, offset, 4);
  directory_ += name;
  ++count_;
}

std::string ZipWriter::finish() {
  std::string end;
  put(end, 0x06054b50, 4);
  put(end, 0, 4);
  put(end, static_cast<std::uint32_t>(count_), 2);
  put(end, static_cast<std::uint32_t>(count_), 2);
  put(end, static_cast<std::uint32_t>(directory_.size()), 4);
  put(end, static_cast<std::uint32_t>(bytes_.size()), 4);
  put(end, 0, 2);
  return bytes_ + directory_ + end;
}

}  // namespace cardan

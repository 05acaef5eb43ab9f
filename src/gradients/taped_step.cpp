#define CARDAN_LANES lanes_taped
#define CARDAN_TAPED
#include "gradients/taped_step.hpp"

#include "ensemble/lane_group.hpp"
#include "ensemble/lane_numbers.hpp"
#include "gradients/lane_sides.hpp"
#include "gradients/step_equations.hpp"
#include "gradients/taped_laws.hpp"

namespace cardan {
namespace lanes_taped {
namespace {

template <int D>
class Taped final : public TapedStep, private LaneLaws {
 public:
  Taped(const Phase& phase, const Mechanism& mechanism, const std::vector<TapedNeighbour>& neighbours, int results)
      : model_(side_by_side<D>(phase, phase, phase)),
        inertia_(inertias_side_by_side<D>(phase, phase, phase)),
        laws_(relative_formulation<D>(phase)->model(), mechanism),
        others_(neighbours, laws_.size()),
        length_(phase.compiled.length),
        n_(model_.coordinates),
        m_(model_.constraints) {
    tape_.clear();
    list_numbers(phase, neighbours);
    first_ = tape_.size();
    gradient_.setZero(results, std::ssize(neighbours));
    of_numbers_.setZero(first_, results);
    anew_.assign(static_cast<std::size_t>(n_), false);
    for (const LaneMotion<D>& motion : model_.motions)
      for (int j = 0; motion.kind == LaneMotion<D>::Kind::ball && j < 3; ++j)
        anew_[static_cast<std::size_t>(motion.first + j)] = true;
    work_ = std::make_unique<LaneWork<D>>(model_);
    for (Lanes& ground : work_->rotation) Pack(ground.of[0]).store(ground);
    inertia_of_.assign(static_cast<std::size_t>((D == 2 ? 4 : 10) * model_.bodies), Lanes{});
    moved_.assign(static_cast<std::size_t>(LaneWork<D>::kTwist * (model_.bodies + 1)), Lanes{});
    turns_.resize(static_cast<std::size_t>(model_.counted));
  }

  int references() const override { return 4 * model_.balls; }
  int first_reference() const override { return 2 * model_.counted + 1; }
  const std::vector<bool>& measured_anew() const override { return anew_; }
  bool surprised() const override { return others_.surprised(); }
  void begin_again() override {
    others_.forget_surprise();
    gradient_.setZero();
    of_numbers_.setZero();
  }

  void record(const StepRecord& step, TapedEnd& end,
              const std::function<void(const VecX&, VecX&)>& find_multipliers) override {
    tape = &tape_;
    tape_.cut(first_);
    asked_.resize(laws_.size());
    const auto leaves = [&](const VecX& values, std::vector<Pack>& packs, std::int64_t& first) {
      first = tape_.size();
      packs.resize(static_cast<std::size_t>(values.size()));
      for (Eigen::Index i = 0; i < values.size(); ++i)
        packs[static_cast<std::size_t>(i)] = Pack(values[i], tape_.leaf());
    };
    leaves(end.q, q_, at_.q), leaves(end.v, v_, at_.v), leaves(end.A, A_, at_.A);
    leaves(end.v1, v1_, at_.v1), leaves(end.A1, A1_, at_.A1), leaves(end.a1, a1_, at_.a1);
    leaves(end.lambda, lambda_, at_.lambda);
    leaves(step.before.memory.segment(first_reference(), references()), references_, at_.references);
    see_turns(step, end.t);
    see_time(step, end.t);
    Dynamics<D> dynamics(model_, *work_, *this);
    StepEquations<D> equations(model_, inertia_, *work_, dynamics, inertia_of_, moved_);
    dynamics.tree().see_references(references_.data());
    dynamics.position(q_.data());
    dynamics.velocity(v_.data(), q_.data());
    dynamics.apply_wrenches(1);
    equations.find_inertias();
    residual_.resize(static_cast<std::size_t>(n_));
    equations.write_residual(A_.data(), lambda_.data(), residual_.data());
    if (end.projects) {
      write_projection(equations, end, v1_, v_, end.mu, find_multipliers, held_v_, rate_);
      write_projection(equations, end, A1_, A_, end.nu, find_multipliers, held_A_, second_);
      for (int k = 0; k < m_; ++k) rate_[k] += packs(work_->phi_t)[k];
      dynamics.velocity(v1_.data(), q_.data());
      dynamics.find_gamma();
      for (int k = 0; k < m_; ++k) second_[k] -= packs(work_->gamma)[k];
    }
    next_v_ = v1_, next_a_ = a1_, next_A_ = A1_, next_references_ = references_;
    measure_anew<D>(model_, q_.data(), next_v_.data(), next_a_.data(), next_A_.data(), next_references_.data());
    slope_.assign(static_cast<std::size_t>(tape_.size()), 0);
    of_leaves_.assign(static_cast<std::size_t>(gradient_.rows()), {});
    tape = nullptr;
  }

  void sweep(int result, const StepWeights& w, StepSlopes& slopes) override {
    const auto seed = [&](const VecX* weights, const std::vector<Pack>& at) {
      for (std::size_t i = 0; weights && i < at.size(); ++i)
        slope_[static_cast<std::size_t>(at[i].node)] += (*weights)[static_cast<Eigen::Index>(i)];
    };
    seed(w.residual, residual_), seed(w.held_v, held_v_), seed(w.rate, rate_);
    seed(w.held_A, held_A_), seed(w.second, second_);
    if (w.phi)
      for (int k = 0; k < m_; ++k) slope_[static_cast<std::size_t>(packs(work_->phi)[k].node)] += (*w.phi)[k];
    seed(w.next_v, next_v_), seed(w.next_a, next_a_), seed(w.next_A, next_A_);
    seed(w.next_references, next_references_);
    const std::int64_t past_leaves = at_.references + references();
    tape_.sweep(slope_, past_leaves + std::ssize(time_leaves_));
    const auto take = [&](std::int64_t first, VecX& to) {
      for (Eigen::Index i = 0; i < to.size(); ++i) to[i] += slope_[static_cast<std::size_t>(first + i)];
    };
    take(at_.q, slopes.q), take(at_.v, slopes.v), take(at_.A, slopes.A), take(at_.v1, slopes.v1);
    take(at_.A1, slopes.A1), take(at_.a1, slopes.a1), take(at_.lambda, slopes.lambda);
    take(at_.references, slopes.references);
    for (std::int64_t i = 1; i < first_; ++i) of_numbers_(i, result) += slope_[static_cast<std::size_t>(i)];
    add_laws(result);
    std::fill(slope_.begin(), slope_.begin() + past_leaves + std::ssize(time_leaves_), 0.0);
  }

  void close(const StepRecord&) override {
    for (std::size_t law = 0; law < asked_.size(); ++law)
      others_.each(law, asked_[law].in, [&](std::size_t p, const std::vector<double>& slopes) {
        for (std::size_t r = 0; r < of_leaves_.size(); ++r) {
          if (of_leaves_[r].size() <= law || of_leaves_[r][law].size() != slopes.size()) continue;
          for (std::size_t j = 0; j < slopes.size(); ++j)
            gradient_(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(p)) += of_leaves_[r][law][j] * slopes[j];
        }
      });
  }

  Eigen::MatrixXd gradient() const override {
    Eigen::MatrixXd all = gradient_;
    for (std::size_t p = 0; p < numbers_.size(); ++p)
      for (const auto& [number, slope] : numbers_[p])
        all.col(static_cast<Eigen::Index>(p)) += slope * of_numbers_.row(number).transpose();
    return all;
  }

 private:
  struct Places {
    std::int64_t q = 0, v = 0, A = 0, v1 = 0, A1 = 0, a1 = 0, lambda = 0, references = 0;
  };

  /// Numbers that some parameter changes become leaves of the tape, all others constant.
  void list_numbers(const Phase& phase, const std::vector<TapedNeighbour>& neighbours) {
    std::vector<std::vector<double>> slopes;
    const auto each = [](LaneModel<D>& model, LaneArray& inertia, const auto& visit) {
      each_number<D>(model, visit);
      for (Lanes& one : inertia) visit(one);
    };
    for (const TapedNeighbour& n : neighbours) {
      LaneModel<D> model = side_by_side<D>(phase, *n.plus, *n.minus);
      LaneArray inertia = inertias_side_by_side<D>(phase, *n.plus, *n.minus);
      slopes.emplace_back();
      each(model, inertia, [&](const Lanes& x) { slopes.back().push_back((x.of[1] - x.of[2]) / n.change); });
    }
    numbers_.resize(neighbours.size());
    std::size_t index = 0;
    each(model_, inertia_, [&](Lanes& x) {
      std::int64_t node = 0;
      for (std::size_t p = 0; p < slopes.size(); ++p) {
        if (slopes[p][index] == 0) continue;
        if (node == 0) node = tape_.leaf();
        numbers_[p].emplace_back(node, slopes[p][index]);
      }
      Pack(x.of[0], node).store(x);
      ++index;
    });
  }

  /// Angles are continued from what they are foretold to be, as steps do it.
  void see_turns(const StepRecord& step, double t) {
    const VecX& memory = step.before.memory;
    for (int i = 0; i < model_.counted; ++i)
      packs(work_->turns)[i] = memory[i] + (t - memory[2 * model_.counted]) * memory[model_.counted + i];
  }

  void see_time(const StepRecord& step, double t) {
    TapedLaw& law = asked_.back();
    law.in.assign(1, t);
    laws_.evaluate(laws_.size() - 1, step.before.inputs, law.in, law.out);
    time_leaves_.clear();
    const auto put = [&](LaneArray& to, std::size_t& at) {
      for (std::size_t i = 0; i < to.size(); ++i, ++at) {
        const std::int64_t leaf = others_.changes(laws_.size() - 1) ? tape_.leaf() : 0;
        if (leaf != 0) time_leaves_.push_back(leaf);
        packs(to)[i] = Pack(law.out[at], leaf);
      }
    };
    std::size_t at = 0;
    put(work_->driver, at), put(work_->effort, at), put(work_->given, at);
    law.leaves = time_leaves_;
  }

  /// P (x1 - x*) + Phi_q^T mu, and Phi_q x1.
  void write_projection(StepEquations<D>& equations, const TapedEnd& end, const std::vector<Pack>& x1,
                        const std::vector<Pack>& x, VecX& mu,
                        const std::function<void(const VecX&, VecX&)>& find_multipliers, std::vector<Pack>& held,
                        std::vector<Pack>& rate) {
    held.resize(static_cast<std::size_t>(n_));
    correction_.resize(static_cast<std::size_t>(n_));
    for (std::size_t i = 0; i < correction_.size(); ++i) correction_[i] = x1[i] - x[i];
    equations.write_held(end.damped, end.stiff, correction_.data(), held.data());
    VecX product(n_);
    for (int i = 0; i < n_; ++i) product[i] = held[static_cast<std::size_t>(i)].value;
    find_multipliers(product, mu);
    equations.add_constraints(mu.data(), held.data());
    rate.resize(static_cast<std::size_t>(m_));
    for (int k = 0; k < m_; ++k) rate[static_cast<std::size_t>(k)] = equations.constraint_times(k, x1.data());
  }

  void add_laws(int result) {
    auto& of = of_leaves_[static_cast<std::size_t>(result)];
    of.resize(asked_.size());
    for (std::size_t law = 0; law < asked_.size(); ++law) {
      of[law].resize(asked_[law].leaves.size(), 0);
      for (std::size_t j = 0; j < of[law].size(); ++j) {
        double& slope = slope_[static_cast<std::size_t>(asked_[law].leaves[j])];
        of[law][j] += slope;
        slope = 0;
      }
    }
  }

  /// Outputs of a law as numbers on the tape: linear in what they are made of here.
  void write_law(std::size_t index, const std::vector<Pack>& in, const std::vector<Lanes*>& out) const {
    TapedLaw& law = asked_[index];
    law.in.resize(in.size());
    for (std::size_t i = 0; i < in.size(); ++i) law.in[i] = in[i].value;
    laws_.evaluate(index, {}, law.in, law.out);
    laws_.differentiate(index, law.in, 1e-3 * length_, law.slopes);
    law.leaves.clear();
    for (std::size_t j = 0; j < out.size(); ++j) {
      std::int64_t node = 0;
      if (others_.changes(index)) law.leaves.push_back(node = tape_.leaf());
      for (std::size_t i = 0; i < in.size(); ++i) {
        const double slope = law.slopes[j * in.size() + i];
        if (in[i].node != 0 && slope != 0) node = tape_.push(node, 1, in[i].node, slope);
      }
      Pack(law.out[j], node).store(*out[j]);
    }
  }

  void load(int index, unsigned, const Lanes& elongation, const Lanes& rate, Lanes& force, Lanes& stiffness,
            Lanes& damping) const override {
    write_law(static_cast<std::size_t>(index), {Pack(elongation), Pack(rate)}, {&force, &stiffness, &damping});
  }
  void tyre(int index, unsigned, const Lanes* center, const Lanes* axle, const Lanes* velocity, Lanes* force,
            Lanes* moment, Lanes* rows) const override {
    std::vector<Pack> in;
    std::vector<Lanes*> out;
    for (const Lanes* vector : {center, axle, velocity})
      for (int i = 0; i < D; ++i) in.push_back(vector[i]);
    for (Lanes* vector : {force, moment})
      for (int i = 0; i < D; ++i) out.push_back(vector + i);
    for (int i = 0; i < LawSet<D>::kTyreOut - 2 * D; ++i) out.push_back(rows + i);
    write_law(laws_.loads() + static_cast<std::size_t>(index), in, out);
  }
  void judge(int, unsigned, const Lanes&, const Lanes&) override {}
  unsigned ended(int, unsigned, const Lanes&) override { return 0; }

  mutable Tape tape_;
  LaneModel<D> model_;
  LaneArray inertia_;
  mutable LawSet<D> laws_;
  LawNeighbours<D> others_;
  double length_;
  int n_, m_;
  std::int64_t first_ = 0;                                             // after the numbers of the mechanism
  std::vector<std::vector<std::pair<std::int64_t, double>>> numbers_;  // of every parameter: which it changes
  std::vector<bool> anew_;
  std::unique_ptr<LaneWork<D>> work_;
  std::vector<double> turns_;
  Places at_;
  std::vector<Pack> q_, v_, A_, v1_, A1_, a1_, lambda_, references_;
  std::vector<Pack> residual_, held_v_, held_A_, rate_, second_, next_v_, next_a_, next_A_, next_references_;
  std::vector<Pack> correction_;
  LaneArray inertia_of_, moved_;  // buffers
  mutable std::vector<TapedLaw> asked_;
  std::vector<std::int64_t> time_leaves_;
  std::vector<double> slope_;
  std::vector<std::vector<std::vector<double>>> of_leaves_;  // of results, laws and outputs
  Eigen::MatrixXd of_numbers_, gradient_;
};

}  // namespace
}  // namespace lanes_taped

std::string TapedStep::refusal(const Phase& phase, bool planar) { return not_in_lanes(phase, planar); }

std::unique_ptr<TapedStep> TapedStep::make(const Phase& phase, const Mechanism& mechanism,
                                           const std::vector<TapedNeighbour>& neighbours, int results) {
  using lanes_taped::Taped;
  if (mechanism.planar) return std::make_unique<Taped<2>>(phase, mechanism, neighbours, results);
  return std::make_unique<Taped<3>>(phase, mechanism, neighbours, results);
}

}  // namespace cardan

#include "studies/double_four_bar/double_four_bar.hpp"
#include "studies/excavator/excavator.hpp"
#include "studies/forklift/forklift.hpp"
#include "studies/iltis/iltis_suspension.hpp"
#include "studies/iltis/iltis_vehicle.hpp"
#include "studies/iltis_cornering/iltis_cornering.hpp"
#include "studies/orders/orders.hpp"
#include "studies/puma/puma.hpp"
#include "studies/robustness/robustness.hpp"
#include "studies/stiff_double_pendulum/stiff_double_pendulum.hpp"
#include "studies/stiff_stop/stiff_stop.hpp"
#include "studies/study.hpp"

namespace cardan {

std::span<const Study> studies() {
  static constexpr Study all[] = {
      {"double-four-bar", "one-degree-of-freedom linkage through ten singular positions: energy, angle, robustness",
       "Cuadrado, Dopico, Gonzalez, Naya, \"A combined penalty and semi-recursive real-time formulation for multibody "
       "dynamics\" (2003), section 4.1 and table 1",
       "Five rods of 1 m and 1 kg make two squares side by side, which start upright and fall over. Each time the rods "
       "lie "
       "flat the mechanism could go on in several ways; in 10 s there are ten such positions. Published: the largest "
       "deviation of the total energy for three formulations and four steps.",
       run_double_four_bar_study},
      {"stiff-double-pendulum", "error and work of explicit and implicit integration, constant and variable steps",
       "Negrut, Haug, Iancu, \"Variable step implicit numerical integration of stiff multibody systems\" (1997), "
       "tables 1 "
       "to 3 and figures 2 to 7",
       "Two arms with torsional springs and dampers at both pins; the damper between them is so strong that the arms "
       "move "
       "almost as one after a transient of 5e-5 s. Published: error against step, error against tolerance, work "
       "against "
       "error, as figures whose numbers did not survive but for those said in the text.",
       run_stiff_double_pendulum_study},
      {"stiff-stop", "a four-bar against a stop 500 times stiffer: variable step and variable penalty",
       "the idea of a step and a penalty that vary together; the mechanism and its numbers are ours, nothing of it is "
       "published",
       "A four-bar swings on a soft torsion spring against a stop, four to five times in 5 s. A constant step must "
       "suit "
       "the stop all the time, a variable one only while the stop is touched. Errors are the largest difference of the "
       "crank's angle, in rad, to a run of dopri5 with tolerance 1e-11, over samples every 0.02 s.",
       run_stiff_stop_study},
      {"iltis-suspension", "one suspension of the vehicle down a kerb: what the published energy balance leaves out",
       "Cuadrado, Dopico, Gonzalez, Naya, \"A combined penalty and semi-recursive real-time formulation for multibody "
       "dynamics\" (2003), table 2",
       "The suspension is let go and rolls down a kerb, 7 s. Published: gravitational energy lost less what the shock "
       "absorber dissipates, for three formulations and three steps.",
       run_iltis_suspension_study},
      {"puma", "a robot arm whose hand is held and let go: return to the start in every formulation",
       "Cuadrado, Dopico, Gonzalez, Naya, \"A combined penalty and semi-recursive real-time formulation for multibody "
       "dynamics\" (2003), section 4.3 and table 3",
       "A robot arm goes to another pose (2 s), turns its wrist while a point of its hand is held at ground (4 s), and "
       "goes back (2 s). Published: the distance of the hand's point at the end from where it started, but neither "
       "poses "
       "nor torques; those here are ours.",
       run_puma_study},
      {"iltis-vehicle", "a whole vehicle over a ramp and stairs: all formulations, largest good steps, times",
       "Cuadrado, Dopico, Gonzalez, Naya, \"A combined penalty and semi-recursive real-time formulation for multibody "
       "dynamics\" (2003), table 4",
       "The Bombardier Iltis, benchmark vehicle of the IAVSD, goes over a ramp and down five steps of stairs at 5 m/s, "
       "8 s. "
       "Published: times at 0.01 s and at the largest good step, beside a commercial code.",
       run_iltis_vehicle_study},
      {"iltis-sdirk", "the vehicle with implicit Runge-Kutta against the trapezoidal rule",
       "Dopico, Lugris, Gonzalez, Cuadrado, \"On the aptitude of IRK integrators for the real-time dynamics of "
       "multibody "
       "systems\" (2005), table 2",
       "The Iltis over a ramp and stairs, 8 s. Published: iterations and times of SDIRK and of the trapezoidal rule "
       "for "
       "three formulations.",
       run_iltis_sdirk_study},
      {"iltis-structural", "the vehicle with trapezoidal, Newmark, HHT and generalized-alpha",
       "the comparison of 2004 that Dopico, Lugris, Gonzalez, Cuadrado (2005) cite",
       "The Iltis over a ramp and stairs, 8 s, with the integrators of structural dynamics. Published: which of them "
       "is "
       "the best choice, no numbers.",
       run_iltis_structural_study},
      {"iltis-cornering", "the driven vehicle around a circle: bicycle model, curve of the tyres, roll, understeer",
       "nothing of it is published; vehicle and tyre formulas are those of the IAVSD benchmark",
       "The Iltis with wheels that roll, drive and slip goes around circles at constant speed. Yaw rate, side forces "
       "and roll stand beside those of the textbook.",
       run_iltis_cornering_study},
      {"excavator", "a digging cycle with hydraulic cylinders: speed, order with pressures, balance of energy",
       "nothing of it is published; a machine of assumed dimensions",
       "An excavator of about 20 t digs, lifts, swings and dumps, 12 s, with three cylinders, valves and a pump with a "
       "limit of power; levers follow a program.",
       run_excavator_study},
      {"forklift-rollover", "a forklift that tips over: variable step and variable penalty where contacts are hard",
       "Dopico, Sanjurjo, Cuadrado, Luaces, \"A variable time-step and variable penalty method for the index-3 "
       "augmented Lagrangian formulation with velocity and acceleration projections\" (2015), section 5",
       "A forklift reverses at 10 km/h with its load lifted to 3.2 m, steers fully to the right, lifts its right "
       "wheels, "
       "tips over and slams into the ground, 8 s. Published: the manoeuvre, which constant steps fail, and that the "
       "variable step needs the variable penalty; not the machine's numbers, which are assumed here.",
       run_forklift_study},
      {"orders", "the order of every integrator on every formulation, on six mechanisms",
       "the theory of the integrators; nothing of it is published",
       "A planar loop, a spatial one, a redundant one, one with a massless body, one with stiff loads and one that "
       "turns "
       "many times, each in a random orientation. The order is the slope of the error over the step.",
       run_orders_study},
      {"robustness", "random mechanisms, places and steps with every method: what is lost, and whether it is said",
       "the mechanisms are ours; nothing of it is published",
       "Rows of windows through singular positions at many steps, 300 random mechanisms against references, and "
       "mechanisms that joints hold more often than needed in random places against closed forms.",
       run_robustness_study},
  };
  return all;
}

}  // namespace cardan

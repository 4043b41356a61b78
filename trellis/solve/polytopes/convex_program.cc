#include "trellis/solve/polytopes/convex_program.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include <fmt/format.h>
#include <IpIpoptApplication.hpp>
#include <IpTNLP.hpp>

#include "trellis/base/error.h"

namespace trellis {
namespace {

constexpr double kIpoptInfinity = 2e19;  // Ipopt's word for "no bound" begins at 1e19

double ipopt_bound(double value) {
  return std::isinf(value) ? std::copysign(kIpoptInfinity, value) : value;
}

// The program in Ipopt's form. The ball is the last constraint, as ½‖x_S‖² ≤ ½ radius².
class IpoptProgram final : public Ipopt::TNLP {
 public:
  using Number = Ipopt::Number;
  using Int = Ipopt::Index;

  IpoptProgram(const ConvexProgram& program, const std::vector<double>& start,
               const ConvexOptions& options)
      : program_(program), start_(start), options_(options) {
    for (const LinearProgram::Row& row : program.rows) num_terms_ += row.terms.size();
  }

  ConvexSolution take_solution() { return std::move(solution_); }

  bool get_nlp_info(Int& n, Int& m, Int& jacobian_size, Int& hessian_size,
                    IndexStyleEnum& style) override {
    n = static_cast<Int>(program_.num_variables);
    m = static_cast<Int>(program_.rows.size() + (program_.ball ? 1 : 0));
    jacobian_size = static_cast<Int>(num_terms_ + ball_size());
    hessian_size = static_cast<Int>(program_.quadratic.size() + ball_size());
    style = C_STYLE;
    return true;
  }

  bool get_bounds_info(Int, Number* lower, Number* upper, Int, Number* row_lower,
                       Number* row_upper) override {
    std::transform(program_.lower.begin(), program_.lower.end(), lower, ipopt_bound);
    std::transform(program_.upper.begin(), program_.upper.end(), upper, ipopt_bound);
    for (Index r = 0; r < program_.rows.size(); ++r) {
      row_lower[r] = ipopt_bound(program_.rows[r].lower);
      row_upper[r] = ipopt_bound(program_.rows[r].upper);
    }
    if (program_.ball) {
      row_lower[program_.rows.size()] = -kIpoptInfinity;
      row_upper[program_.rows.size()] = program_.ball->radius * program_.ball->radius / 2;
    }
    return true;
  }

  bool get_starting_point(Int n, bool, Number* x, bool, Number*, Number*, Int, bool,
                          Number*) override {
    if (start_.empty()) {
      std::fill(x, x + n, 0.0);
    } else {
      std::copy(start_.begin(), start_.end(), x);
    }
    return true;
  }

  bool eval_f(Int n, const Number* x, bool, Number& value) override {
    value = 0;
    for (Int j = 0; j < n; ++j) value += program_.linear[static_cast<Index>(j)] * x[j];
    for (const ConvexProgram::QuadraticTerm& term : program_.quadratic) {
      const double product = term.value * x[term.row] * x[term.column];
      value += term.row == term.column ? product / 2 : product;
    }
    return true;
  }

  bool eval_grad_f(Int, const Number* x, bool, Number* gradient) override {
    std::copy(program_.linear.begin(), program_.linear.end(), gradient);
    for (const ConvexProgram::QuadraticTerm& term : program_.quadratic) {
      gradient[term.row] += term.value * x[term.column];
      if (term.row != term.column) gradient[term.column] += term.value * x[term.row];
    }
    return true;
  }

  bool eval_g(Int, const Number* x, bool, Int, Number* g) override {
    for (Index r = 0; r < program_.rows.size(); ++r) {
      g[r] = 0;
      for (const LinearProgram::Term& term : program_.rows[r].terms) {
        g[r] += term.coefficient * x[term.variable];
      }
    }
    if (!program_.ball) return true;
    double& half_square = g[program_.rows.size()];
    half_square = 0;
    for (Index j = program_.ball->begin; j < program_.ball->end; ++j) {
      half_square += x[j] * x[j] / 2;
    }
    return true;
  }

  bool eval_jac_g(Int, const Number* x, bool, Int, Int, Int* rows, Int* columns,
                  Number* values) override {
    Index k = 0;
    const auto put = [&](Index row, Index column, double value) {
      if (values == nullptr) {
        rows[k] = static_cast<Int>(row);
        columns[k] = static_cast<Int>(column);
      } else {
        values[k] = value;
      }
      ++k;
    };
    for (Index r = 0; r < program_.rows.size(); ++r) {
      for (const LinearProgram::Term& term : program_.rows[r].terms) {
        put(r, term.variable, term.coefficient);
      }
    }
    if (!program_.ball) return true;
    for (Index j = program_.ball->begin; j < program_.ball->end; ++j) {
      put(program_.rows.size(), j, values == nullptr ? 0 : x[j]);
    }
    return true;
  }

  bool eval_h(Int, const Number*, bool, Number factor, Int, const Number* multipliers, bool, Int,
              Int* rows, Int* columns, Number* values) override {
    Index k = 0;
    const auto put = [&](Index row, Index column, double value) {
      if (values == nullptr) {
        rows[k] = static_cast<Int>(row);
        columns[k] = static_cast<Int>(column);
      } else {
        values[k] = value;
      }
      ++k;
    };
    for (const ConvexProgram::QuadraticTerm& term : program_.quadratic) {
      put(term.row, term.column, factor * term.value);
    }
    if (!program_.ball) return true;
    for (Index j = program_.ball->begin; j < program_.ball->end; ++j) {
      put(j, j, values == nullptr ? 0 : multipliers[program_.rows.size()]);
    }
    return true;
  }

  bool intermediate_callback(Ipopt::AlgorithmMode, Int iteration, Number, Number, Number, Number,
                             Number, Number, Number, Number, Int, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override {
    solution_.iterations = static_cast<Index>(iteration);
    if (options_.on_iteration) options_.on_iteration(solution_.iterations);
    return !options_.stop.stop_requested();
  }

  void finalize_solution(Ipopt::SolverReturn status, Int n, const Number* x, const Number*,
                         const Number*, Int, const Number*, const Number* multipliers, Number value,
                         const Ipopt::IpoptData*, Ipopt::IpoptCalculatedQuantities*) override {
    solution_.status = status_of(status);
    solution_.value = value;
    solution_.x.assign(x, x + n);
    solution_.row_multipliers.resize(program_.rows.size());
    // Ipopt's Lagrangian is f + λᵀg.
    std::transform(multipliers, multipliers + program_.rows.size(),
                   solution_.row_multipliers.begin(), [](double lambda) { return -lambda; });
  }

 private:
  Index ball_size() const { return program_.ball ? program_.ball->end - program_.ball->begin : 0; }

  static ConvexStatus status_of(Ipopt::SolverReturn status) {
    switch (status) {
      case Ipopt::SUCCESS:
        return ConvexStatus::kOptimal;
      case Ipopt::STOP_AT_ACCEPTABLE_POINT:
      case Ipopt::STOP_AT_TINY_STEP:
        return ConvexStatus::kAcceptable;
      case Ipopt::MAXITER_EXCEEDED:
        return ConvexStatus::kLimit;
      case Ipopt::USER_REQUESTED_STOP:
        return ConvexStatus::kStopped;
      default:
        return ConvexStatus::kFailed;
    }
  }

  const ConvexProgram& program_;
  const std::vector<double>& start_;
  const ConvexOptions& options_;
  Index num_terms_ = 0;
  ConvexSolution solution_;
};

void require_fit(const ConvexProgram& program, const std::vector<double>& start) {
  const Index n = program.num_variables;
  const auto within = [&](Index j) {
    if (j >= n) throw UsageError(fmt::format("there is no variable {} of {}", j, n));
  };
  if (program.linear.size() != n || program.lower.size() != n || program.upper.size() != n) {
    throw UsageError("a convex program has one cost and two bounds per variable");
  }
  if (!start.empty() && start.size() != n) {
    throw UsageError("a start has one value per variable");
  }
  for (const ConvexProgram::QuadraticTerm& term : program.quadratic) {
    within(term.row);
    if (term.column > term.row) throw UsageError("Q must be given by its lower triangle");
  }
  for (const LinearProgram::Row& row : program.rows) {
    for (const LinearProgram::Term& term : row.terms) within(term.variable);
  }
  if (program.ball && (program.ball->begin > program.ball->end || program.ball->end > n ||
                       !(program.ball->radius > 0))) {
    throw UsageError("a ball has a range of the variables and a radius > 0");
  }
}

void set_options(const ConvexOptions& options, bool linear_constraints,
                 Ipopt::IpoptApplication& ipopt) {
  ipopt.RethrowNonIpoptException(true);
  const auto text = [&](const char* name, const char* value) {
    ipopt.Options()->SetStringValue(name, value);
  };
  ipopt.Options()->SetIntegerValue("print_level", 0);
  text("sb", "yes");  // no banner
  text("linear_solver", "mumps");
  // Approximate minimum degree with quasi-dense rows. A weight stands in the rows of all examples;
  // the ordering that MUMPS chooses by itself then fills the factor, at a hundred times the time.
  ipopt.Options()->SetIntegerValue("mumps_pivot_order", 6);
  ipopt.Options()->SetNumericValue("tol", options.tolerance);
  // By default Ipopt widens all bounds by 1e-8.
  ipopt.Options()->SetNumericValue("bound_relax_factor", 0);
  ipopt.Options()->SetIntegerValue("max_iter", static_cast<Ipopt::Index>(options.max_iterations));
  // Without a ball, neither the Jacobian nor the Hessian changes.
  if (linear_constraints) {
    text("jac_c_constant", "yes");
    text("jac_d_constant", "yes");
    text("hessian_constant", "yes");
    text("mehrotra_algorithm", "yes");
  }
}

}  // namespace

ConvexSolution minimize_convex_program(const ConvexProgram& program, const ConvexOptions& options,
                                       const std::vector<double>& start) {
  require_fit(program, start);
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> lock(one_at_a_time);
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> ipopt = new Ipopt::IpoptApplication(false);
  set_options(options, !program.ball, *ipopt);
  // The empty name: reads no options from a file in the working directory.
  if (ipopt->Initialize("") != Ipopt::Solve_Succeeded) return {};
  IpoptProgram* const problem = new IpoptProgram(program, start, options);
  const Ipopt::SmartPtr<Ipopt::TNLP> owner = problem;
  ipopt->OptimizeTNLP(owner);
  return problem->take_solution();
}

}  // namespace trellis

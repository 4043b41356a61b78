// Which learner takes which oracle: the cells of the table that mathematics allows compile, and the
// others do not. It is the compiler who tests.
#include <span>

#include "trellis/learn/batch/bmrm.h"
#include "trellis/learn/batch/lbfgs.h"
#include "trellis/learn/dual/bcfw.h"
#include "trellis/learn/dual/dca.h"
#include "trellis/learn/online/kbest_mira.h"
#include "trellis/learn/online/perceptron.h"
#include "trellis/learn/online/sgd.h"

namespace trellis {
namespace {

template <class O>
concept TakenByPerceptron = requires(const O& oracle, std::span<double> w) {
  perceptron(oracle, PerceptronOptions{}, w);
};
template <class O>
concept TakenBySgd = requires(const O& oracle, std::span<double> w) {
  sgd(oracle, SgdOptions{}, w);
};
template <class O>
concept TakenByDca = requires(const O& oracle, std::span<double> w) {
  dca(oracle, DcaOptions{}, w);
};
template <class O>
concept TakenByKBestMira = requires(const O& oracle, std::span<double> w) {
  kbest_mira(oracle, KBestMiraOptions{}, w);
};
template <class O>
concept TakenByLbfgs = requires(const O& oracle, std::span<double> w) {
  lbfgs(oracle, LbfgsOptions{}, w);
};

template <class O>
concept TakenByBmrm = requires(const O& oracle, std::span<double> w) {
  bmrm(oracle, BmrmOptions{}, w);
};
template <class O>
concept TakenByBcfw = requires(const O& oracle, std::span<double> w) {
  bcfw(oracle, BcfwOptions{}, w);
};

static_assert(TakenByPerceptron<HingeOracle> && TakenByPerceptron<KBestOracle>);
static_assert(TakenByPerceptron<SearchOracle> && !TakenByPerceptron<CutOracle> &&
              !TakenByPerceptron<ConvexOracle>);
static_assert(!TakenByPerceptron<SmoothConvexOracle> && !TakenByPerceptron<SmoothOracle>);

static_assert(TakenBySgd<Oracle> && TakenBySgd<HingeOracle> && TakenBySgd<KBestOracle>);
static_assert(TakenBySgd<SmoothOracle> && TakenBySgd<SmoothConvexOracle>);

static_assert(TakenByDca<ConvexOracle> && TakenByDca<HingeOracle> &&
              TakenByDca<SmoothConvexOracle>);
static_assert(TakenByDca<CutOracle> && TakenByDca<SearchOracle>);
static_assert(!TakenByDca<SmoothOracle> && !TakenByDca<Oracle>);

static_assert(TakenByBmrm<ConvexOracle> && TakenByBmrm<HingeOracle> && TakenByBmrm<KBestOracle> &&
              TakenByBmrm<SmoothConvexOracle>);
static_assert(TakenByBmrm<CutOracle> && TakenByBmrm<SearchOracle>);
static_assert(!TakenByBmrm<SmoothOracle> && !TakenByBmrm<Oracle>);

static_assert(TakenByBcfw<ConvexOracle> && TakenByBcfw<HingeOracle> && TakenByBcfw<KBestOracle> &&
              TakenByBcfw<SmoothConvexOracle>);
static_assert(TakenByBcfw<CutOracle> && TakenByBcfw<SearchOracle>);
static_assert(!TakenByBcfw<SmoothOracle> && !TakenByBcfw<Oracle>);

static_assert(TakenByKBestMira<KBestOracle>);
static_assert(!TakenByKBestMira<SearchOracle> && !TakenByLbfgs<CutOracle>);
static_assert(!TakenByKBestMira<HingeOracle> && !TakenByKBestMira<SmoothConvexOracle>);

static_assert(TakenByLbfgs<SmoothOracle> && TakenByLbfgs<SmoothConvexOracle>);
static_assert(!TakenByLbfgs<HingeOracle> && !TakenByLbfgs<KBestOracle>);
static_assert(!TakenByLbfgs<ConvexOracle> && !TakenByLbfgs<Oracle>);

}  // namespace
}  // namespace trellis

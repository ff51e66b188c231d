#include "engine/kernels/kernel_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/kernels/cpu_features.h"
#include "engine/kernels/half.h"
#include "engine/kernels/tier.h"
#include "tests/engine/kernels/random_weights.h"
#include "tests/engine/kernels/tiers_under_test.h"

namespace stint::kernels {
namespace {

TEST(KernelTable, there_is_one_for_every_available_tier_but_reference) {
  for (const Tier tier : all_tiers()) {
    const KernelTable* table = find_kernels(tier);
    EXPECT_EQ(table != nullptr, is_available(tier) && tier != Tier::reference) << to_string(tier);
    if (table != nullptr) EXPECT_EQ(table->tier, tier);
  }
}

TEST(KernelTable, rms_norm_agrees_with_double) {
  for (const KernelTable* table : tables_under_test()) {
    for (const std::uint32_t count : {1U, 7U, 8U, 64U, 577U}) {
      const std::vector<float> x = random_floats(count, count);
      const std::vector<float> weight = random_floats(count, count + 1);
      double sum = 0;
      for (const float value : x) sum += static_cast<double>(value) * static_cast<double>(value);
      std::vector<float> out(count);
      table->rms_norm(x.data(), weight.data(), count, 1e-5f, out.data());
      for (std::uint32_t i = 0; i < count; ++i) {
        const double expected =
            static_cast<double>(x[i]) / std::sqrt(sum / count + 1e-5) * static_cast<double>(weight[i]);
        EXPECT_NEAR(out[i], expected, 1e-6) << to_string(table->tier);
      }
    }
  }
}

TEST(KernelTable, quantisation_rounds_to_the_nearest_of_255_steps) {
  for (const KernelTable* table : tables_under_test()) {
    const std::vector<float> x = random_floats(96, 3);
    ActivationRows rows;
    rows.resize(1, 96);
    table->quantize(x.data(), 96, rows.quantized(0));
    for (std::uint32_t i = 0; i < 96; ++i) {
      const float scale = rows.scales(0)[i / 32];
      EXPECT_NEAR(scale * static_cast<float>(rows.quants(0)[i]), x[i], scale * 0.5001f) << to_string(table->tier);
    }
    for (std::uint32_t half = 0; half < 6; ++half) {
      int sum = 0;
      for (std::uint32_t i = 0; i < 16; ++i) sum += rows.quants(0)[half * 16 + i];
      EXPECT_EQ(rows.half_sums(0)[half], sum);
    }
    for (std::uint32_t block = 0; block < 3; ++block) {
      const int sum = rows.half_sums(0)[2 * block] + rows.half_sums(0)[2 * block + 1];
      EXPECT_EQ(rows.sums(0)[block], rows.scales(0)[block] * static_cast<float>(sum));
    }
  }
}

TEST(KernelTable, a_block_of_zeros_quantises_to_zeros) {
  for (const KernelTable* table : tables_under_test()) {
    const std::vector<float> x(32, 0.0f);
    ActivationRows rows;
    rows.resize(1, 32);
    table->quantize(x.data(), 32, rows.quantized(0));
    EXPECT_EQ(rows.scales(0)[0], 0.0f);
    for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(rows.quants(0)[i], 0);
  }
}

double activated(GateFunction function, double x) {
  if (function == GateFunction::silu) return x / (1 + std::exp(-x));
  return 0.5 * x * (1 + std::tanh(0.79788456080286535588 * (x + 0.044715 * x * x * x)));
}

TEST(KernelTable, gates_agree_with_double_also_far_out) {
  for (const KernelTable* table : tables_under_test()) {
    for (const GateFunction function : {GateFunction::silu, GateFunction::gelu_tanh}) {
      std::vector<float> gate = {0, -0.0f, 1, -1, 20, -20, 90, -90, 1000, -1000, 3.3f};
      std::vector<float> up(gate.size(), 0.5f);
      std::vector<float> out(gate.size());
      table->apply_gate(function, gate.data(), up.data(), static_cast<std::uint32_t>(gate.size()), out.data());
      for (std::size_t i = 0; i < gate.size(); ++i) {
        const double expected = 0.5 * activated(function, static_cast<double>(gate[i]));
        EXPECT_NEAR(out[i], expected, 1e-6 * (1 + std::fabs(expected))) << to_string(table->tier) << " " << gate[i];
      }
    }
  }
}

TEST(KernelTable, halves_are_rounded_as_half_h_says) {
  for (const KernelTable* table : tables_under_test()) {
    const std::vector<float> x = random_floats(21, 4);
    std::vector<std::uint16_t> out(x.size());
    table->halves_from_floats(x.data(), static_cast<std::uint32_t>(x.size()), out.data());
    for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(out[i], f16_from_f32(x[i])) << to_string(table->tier);
  }
}

TEST(Tier, names_can_be_parsed_back) {
  for (const Tier tier : all_tiers()) EXPECT_EQ(parse_tier(to_string(tier)), tier);
  EXPECT_EQ(parse_tier("sse9"), std::nullopt);
}

TEST(Tier, the_best_is_available_and_listed) {
  EXPECT_TRUE(is_available(best_tier()));
  EXPECT_TRUE(is_available(Tier::portable));
  EXPECT_NE(available_tier_names().find(to_string(best_tier())), std::string::npos);
  EXPECT_EQ(is_available(Tier::avx2), detect_cpu_features().avx2);
}

}  // namespace
}  // namespace stint::kernels

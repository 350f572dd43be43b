/* cplusplus.cpp - a program entirely in C++: its port, its main() and the measured functions, which include methods,
 * templates and an exception. Counts every call. Exits with 0 if all counts are right. */
#include "calls_told.h"
#include "fprime/mpt_fprime.h"
#include "gprof/mpt_gprof.h"
#include "mpt.h"
#include "mpt_config.h"
#include "mpt_extension.h"
#include "mpt_port.h"
#include "rtos/mpt_numbers.h"
#include "syst/mpt_syst.h"
#include "tfm/mpt_tfm.h"

#include <cstdio>
#include <cstdint>

#define HIDDEN MPT_NOT_INSTRUMENTED

volatile uint32_t nop_counter;

/* The emitters' headers must declare their functions as C: this does not compile otherwise. */
extern "C" {
extern decltype(mpt_extension) mpt_extension;
extern decltype(mpt_fprime_take) mpt_fprime_take;
extern decltype(mpt_gprof_take) mpt_gprof_take;
extern decltype(mpt_syst_take) mpt_syst_take;
extern decltype(mpt_tfm_take) mpt_tfm_take;
}

namespace
{
uint8_t sent[4096];
std::size_t sent_bytes;
bool is_right = true;

HIDDEN void expect(int got, int want, const char *what)
{
    if (got != want) {
        std::fprintf(stderr, "%s: %d instead of %d calls\n", what, got, want);
        is_right = false;
    }
}
} // namespace

/* These have C linkage by the headers' declarations. */
HIDDEN size_t mpt_port_write(const uint8_t *bytes, size_t n)
{
    std::size_t taken = 0;

    while (taken < n && sent_bytes < sizeof sent)
        sent[sent_bytes++] = bytes[taken++];
    return taken;
}

HIDDEN size_t mpt_port_read(uint8_t *, size_t)
{
    return 0;
}

class Wheel
{
  public:
    __attribute__((noinline)) void turn(int by)
    {
        nop_counter = nop_counter + 10;
        angle += by;
    }

  private:
    int angle = 0;
};

template <typename T> __attribute__((noinline)) T doubled(T value)
{
    nop_counter = nop_counter + 10;
    return value + value;
}

__attribute__((noinline)) void fails(int depth)
{
    nop_counter = nop_counter + 10;
    if (depth == 0)
        throw depth;
    fails(depth - 1);
}

HIDDEN int main()
{
    static const mpt_target target = {48000000, "c++", nullptr, 0, nullptr};
    Wheel wheel;

    mpt_init(&target);
    mpt_start();
    for (int i = 0; i < 5; i++)
        wheel.turn(doubled(i));
    try {
        fails(3);
    } catch (int) {
        wheel.turn(1);
    }
    mpt_stop();
    while (mpt_poll())
        ;

    union {
        void (Wheel::*method)(int);
        std::uintptr_t address;
    } turn = {&Wheel::turn};
    auto low = [](auto address) HIDDEN { return static_cast<uint32_t>((std::uintptr_t)address); };

    expect(calls_told(sent, sent_bytes, low(turn.address)), 6, "a method");
    expect(calls_told(sent, sent_bytes, low(&doubled<int>)), 5, "a template");
    expect(calls_told(sent, sent_bytes, low(&fails)), 4, "what an exception left");
    expect(calls_told(sent, sent_bytes, 0), 15, "all");
    return is_right ? 0 : 1;
}

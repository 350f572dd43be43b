/* vibration.cpp - bearing supervision: a filter, a moving average and a recursive spectrum. C++ without its
 * library. */
#include "workload.h"

namespace
{
enum { BLOCK = 8 };
}

class Biquad
{
  public:
    int process(int input);

  private:
    int state1 = 0;
    int state2 = 0;
};

int Biquad::process(int input)
{
    int center = input + state1 / 2 - state2 / 4;

    work_us(7);
    state2 = state1;
    state1 = center;
    return (center + 2 * state1 + state2) / 4;
}

template <int LENGTH> class MovingAverage
{
  public:
    int push(int value);

  private:
    int history[LENGTH] = {};
    int next = 0;
    int sum = 0;
};

template <int LENGTH> int MovingAverage<LENGTH>::push(int value)
{
    work_us(4);
    sum += value - history[next];
    history[next] = value;
    next = (next + 1) % LENGTH;
    return sum / LENGTH;
}

/* A Walsh-Hadamard transform, by halves: seven splits and twelve butterflies for eight samples. A caller
 * sets all bins: with an initializer it would have a constructor, which clang instruments and gcc does not.
 */
class Spectrum
{
  public:
    void split(int from, int length);

    int bin[BLOCK];

  private:
    void butterfly(int a, int b);
};

void Spectrum::butterfly(int a, int b)
{
    int sum = bin[a] + bin[b];

    work_us(5);
    bin[b] = bin[a] - bin[b];
    bin[a] = sum;
}

void Spectrum::split(int from, int length)
{
    int half = length / 2;

    work_us(3);
    for (int i = 0; i < half; i++)
        butterfly(from + i, from + i + half);
    if (half > 1) {
        split(from, half);
        split(from + half, half);
    }
}

int32_t speed_estimate(int32_t angle)
{
    static MovingAverage<8> smoothed;
    static int32_t previous;
    int32_t difference = (angle - previous) & 0xFFFF;

    work_us(6);
    previous = angle;
    return smoothed.push(difference);
}

int32_t vibration_check(const int32_t millivolts[ADC_CHANNELS])
{
    static Biquad filter;
    static MovingAverage<8> level;
    Spectrum spectrum;

    work_us(10);
    for (int i = 0; i < BLOCK; i++)
        spectrum.bin[i] = filter.process((int)millivolts[i % ADC_CHANNELS]);
    spectrum.split(0, BLOCK);
    return level.push(spectrum.bin[0]);
}

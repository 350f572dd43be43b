// fixture.cpp - the C++ part of the program in fixture.c: members, templates, a lambda.
namespace shape
{
class Circle
{
  public:
    explicit Circle(int radius);
    int area(int scale) const;

  private:
    int radius_;
};

__attribute__((noinline)) Circle::Circle(int radius)
    : radius_(radius)
{
    __asm__ volatile("" ::: "memory");
}

__attribute__((noinline)) int Circle::area(int scale) const
{
    __asm__ volatile("" ::: "memory");
    return 3 * radius_ * radius_ * scale;
}

template <class T> __attribute__((noinline)) T twice(T value)
{
    __asm__ volatile("" ::: "memory");
    return value + value;
}
} // namespace shape

extern "C" int fixture_cxx(int x)
{
    auto add = [x](int y) __attribute__((noinline)) {
        __asm__ volatile("" ::: "memory");
        return x + y;
    };
    shape::Circle circle(x);
    return circle.area(2) + shape::twice(x) + add(3);
}

/* fixture.c - a program for the compilers; test_compiled.c has the expectations. Needs no libc. */
extern int fixture_assembler(int x);
int fixture_entry(int rounds);
int fixture_dropped(int x);
extern int fixture_cxx(int x);

__attribute__((noinline)) static int fixture_leaf(int x)
{
    __asm__ volatile("" ::: "memory");
    return x + 1;
}

__attribute__((noinline)) int fixture_dropped(int x)
{
    return x * 3;
}

__attribute__((noinline)) static int fixture_middle(int x)
{
    int sum = fixture_leaf(x); /* first call */
    __asm__ volatile("" ::: "memory");
    sum += fixture_leaf(sum);
    return sum;
}

int fixture_entry(int rounds)
{
    int sum = 0;
    for (int i = 0; i < rounds; i++)
        sum += fixture_middle(i);
    return sum + fixture_cxx(sum);
}

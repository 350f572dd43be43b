/* words.c - the example for libmpt_host: an ordinary program, which counts the words of its standard input.
 *
 * It has a binary tree of words, for recursion; it sorts by qsort(), which calls back from a shared library;
 * and a second thread runs the same functions, and is not measured. */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 65536, MOST_WORDS = 4096, LONGEST = 31, SHOWN = 3 };

struct word {
    char text[LONGEST + 1];
    int count, less, more; /* indices of the tree's branches; 0: none */
};

static char text[MOST_TEXT];
static struct word words[MOST_WORDS]; /* from 1 on */
static int words_n, comparisons;

static int is_letter(char c)
{
    return isalpha((unsigned char)c) != 0;
}

/* Copies the next word. Returns where to continue, NULL at the end. */
static const char *next_word(const char *at, char *word)
{
    int n = 0;

    while (*at && !is_letter(*at))
        at++;
    for (; is_letter(*at); at++)
        if (n < LONGEST)
            word[n++] = (char)tolower((unsigned char)*at);
    word[n] = '\0';
    return n ? at : NULL;
}

static int add_word(const char *word)
{
    if (words_n + 1 == MOST_WORDS)
        return 0;
    strcpy(words[++words_n].text, word);
    words[words_n].count = 1;
    return words_n;
}

static void count_word(int node, const char *word)
{
    int order = strcmp(word, words[node].text);
    int *branch = order < 0 ? &words[node].less : &words[node].more;

    if (!order)
        words[node].count++;
    else if (*branch)
        count_word(*branch, word);
    else
        *branch = add_word(word);
}

static int by_count(const void *a, const void *b)
{
    const struct word *one = a, *other = b;

    comparisons++;
    return one->count != other->count ? other->count - one->count : strcmp(one->text, other->text);
}

static void print_most_frequent(void)
{
    qsort(words + 1, (size_t)words_n, sizeof *words, by_count);
    for (int i = 1; i <= SHOWN && i <= words_n; i++)
        printf("%d %s\n", words[i].count, words[i].text);
}

static void *count_letters(void *letters)
{
    for (int round = 0; round < 100; round++)
        for (const char *at = text; *at; at++)
            *(int *)letters += is_letter(*at);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    int letters = 0;
    char word[LONGEST + 1];
    const char *at = text;

    text[fread(text, 1, MOST_TEXT - 1, stdin)] = '\0';
    if (pthread_create(&thread, NULL, count_letters, &letters))
        return 1;
    while ((at = next_word(at, word)))
        count_word(0, word);
    print_most_frequent();
    pthread_join(thread, NULL);
    printf("%d letters, %d comparisons\n", letters / 100, comparisons);
    return 0;
}

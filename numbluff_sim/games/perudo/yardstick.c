// The speed yardstick of `numbluff bench --game perudo`: Perudo under its usual rulings with players who bid at random (`random`), 2 to 6 of them,
// five dice each, one game after the other in plain C with the usual tools for the job: xoshiro256++, small tables, one struct of sums a thread.
// It counts rounds, bids, true bids, Palifico rounds, cups lifted and wins.
//   cc -O3 -march=native -pthread -DN=4 perudo_yardstick.c -o yardstick && ./yardstick GAMES THREADS SEED
// One JSON line comes back: nanoseconds a round (CPU time of all threads; wall clock), means a round, win share by seat.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef N
#define N 4
#endif
#define EACH 5
#define STAR 6
typedef uint64_t u64;
typedef uint32_t u32;
// Bids in order of rank on Bluff's track, and where each stands in it: up to 31 stars, as 30 dice need, and the numbers below them.
enum { MOST = 32, BIDS = 11 * MOST };
static uint8_t QUANTITY[BIDS], FACE[BIDS];
static int16_t RANK[MOST][7];
// The bids above a bid with at most one die more, in order of rank; openings by their highest quantity.
static uint16_t RAISES[BIDS][48], OPENINGS[MOST][80];
static uint8_t RAISE_COUNT[BIDS], OPENING_COUNT[MOST];

static void tables(void) {
    int n = 0;
    for (int field = 1; n < BIDS - 6; field++) {
        if (field % 3 == 2) { QUANTITY[n] = (field + 1) / 3; FACE[n++] = STAR; continue; }
        int q = field - field / 3;
        for (int f = 1; f < STAR; f++) { QUANTITY[n] = q; FACE[n++] = f; }
    }
    for (int b = 0; b < n; b++) if (QUANTITY[b] < MOST) RANK[QUANTITY[b]][FACE[b]] = b;
    for (int b = 0; b < n; b++) for (int r = b + 1; r < n; r++) if (QUANTITY[r] <= QUANTITY[b] + 1) RAISES[b][RAISE_COUNT[b]++] = r;
    for (int most = 1; most <= 12; most++) for (int r = 0; r < n; r++) if (QUANTITY[r] <= most) OPENINGS[most][OPENING_COUNT[most]++] = r;
}

// xoshiro256++, seeded by SplitMix64
typedef struct { u64 s[4]; } rng;
static inline u64 rotl(u64 x, int k) { return (x << k) | (x >> (64 - k)); }
static inline u64 next(rng *g) {
    u64 *s = g->s, r = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = rotl(s[3], 45);
    return r;
}
static inline u32 below(rng *g, u32 n) { return ((next(g) >> 32) * n) >> 32; }
static void seed_rng(rng *g, u64 x) {
    for (int i = 0; i < 4; i++) {
        u64 z = (x += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull; z = (z ^ (z >> 27)) * 0x94d049bb133111ebull; g->s[i] = z ^ (z >> 31);
    }
}

typedef struct { u64 rounds, bids, bid_true, palifico, cups, wins[N]; } tally;

static void play(rng *g, u64 games, tally *t) {
    for (u64 game = 0; game < games; game++) {
        int dice[N], left = N, total = N * EACH, opener = 0, palifico = -1;
        for (int p = 0; p < N; p++) dice[p] = EACH;
        while (left > 1) {
            // how many dice of each face every player has: all that a round needs to know
            uint8_t shows[N][7];
            memset(shows, 0, sizeof shows);
            for (int p = 0; p < N; p++) for (int d = 0; d < dice[p]; d++) shows[p][1 + below(g, 6)]++;
            int bid = OPENINGS[(total + 2) / 3 + 1][below(g, OPENING_COUNT[(total + 2) / 3 + 1])], bidder = opener, turn = opener;
            for (;;) {
                do turn = turn + 1 == N ? 0 : turn + 1; while (!dice[turn]);
                t->bids++;
                int q = QUANTITY[bid], f = FACE[bid], next_bid;
                if (palifico >= 0 && dice[turn] > 1) {
                    // the face is locked, but for players with one die
                    if (q + 1 > total || below(g, 4) == 0) break;
                    next_bid = RANK[q + 1][f];
                } else {
                    // only quantities of one more than the dice in play are out: they stand last on the list, numbers before stars
                    int count = 0, n = RAISE_COUNT[bid];
                    uint16_t legal[48];
                    if (q < total) count = n;
                    else for (int i = 0; i < n; i++) { legal[count] = RAISES[bid][i]; count += QUANTITY[RAISES[bid][i]] <= total; }
                    if (count == 0 || below(g, 4) == 0) break;
                    int k = below(g, count);
                    next_bid = q < total ? RAISES[bid][k] : legal[k];
                }
                bid = next_bid; bidder = turn;
            }
            // cups from the bidder's on to the right, until the bid is proved
            int q = QUANTITY[bid], f = FACE[bid], joker = palifico < 0 && f < STAR, count = 0, p = bidder;
            for (int k = 0; k < N; k++) {
                if (dice[p]) {
                    t->cups++;
                    count += shows[p][f] + (joker ? shows[p][STAR] : 0);
                    if (count >= q) break;
                }
                p = p ? p - 1 : N - 1;
            }
            int loser = count >= q ? turn : bidder;
            t->rounds++; t->bid_true += count >= q; t->palifico += palifico >= 0;
            dice[loser]--; total--;
            palifico = -1;
            opener = loser;
            if (dice[loser] == 1) palifico = loser;
            if (dice[loser] == 0) {
                left--;
                do opener = opener + 1 == N ? 0 : opener + 1; while (!dice[opener]);
                if (left == 2) for (int r = 0; r < N; r++) if (dice[r] && dice[r] < dice[opener]) opener = r;
            }
        }
        t->wins[opener]++;
    }
}

typedef struct { u64 seed, games; double cpu; tally t; char pad[128]; } job;
static double now(clockid_t c) { struct timespec s; clock_gettime(c, &s); return s.tv_sec + 1e-9 * s.tv_nsec; }
static void *run(void *a) {
    job *j = a; rng g; seed_rng(&g, j->seed);
    double c0 = now(CLOCK_THREAD_CPUTIME_ID);
    play(&g, j->games, &j->t);
    j->cpu = now(CLOCK_THREAD_CPUTIME_ID) - c0;
    return 0;
}
int main(int ac, char **av) {
    u64 games = ac > 1 ? strtoull(av[1], 0, 10) : 500000; int th = ac > 2 ? atoi(av[2]) : 1; u64 seed = ac > 3 ? strtoull(av[3], 0, 10) : 1;
    tables();
    job *J = calloc(th, sizeof *J); pthread_t *P = calloc(th, sizeof *P);
    double w0 = now(CLOCK_MONOTONIC), cpu = 0;
    for (int i = 0; i < th; i++) { J[i].seed = seed * 1000003 + i; J[i].games = games * (i + 1) / th - games * i / th; pthread_create(&P[i], 0, run, &J[i]); }
    tally t = {0};
    for (int i = 0; i < th; i++) { pthread_join(P[i], 0); cpu += J[i].cpu; for (size_t q = 0; q < sizeof t / 8; q++) ((u64 *)&t)[q] += ((u64 *)&J[i].t)[q]; }
    double wall = now(CLOCK_MONOTONIC) - w0, rounds = (double)t.rounds;
    printf("{\"players\":%d,\"threads\":%d,\"games\":%llu,\"ns_per_round_cpu\":%.3f,\"ns_per_round_wall\":%.3f", N, th, (unsigned long long)games, cpu * 1e9 / rounds, wall * 1e9 / rounds);
    printf(",\"rounds\":%.5f,\"bids\":%.5f,\"bid_true\":%.6f,\"palifico\":%.6f,\"cups\":%.5f,\"win_share\":[", rounds / games, t.bids / rounds, t.bid_true / rounds, t.palifico / rounds, t.cups / rounds);
    for (int i = 0; i < N; i++) printf("%s%.5f", i ? "," : "", (double)t.wins[i] / games);
    printf("]}\n");
}

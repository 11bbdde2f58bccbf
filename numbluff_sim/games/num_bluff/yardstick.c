// The speed yardstick of `numbluff bench`: NUM BLUFF with the preset `documented`, 3 to 5 players, one game after the other in plain C, with the
// usual tools for the job: a shuffled array, xoshiro256++, small tables, one struct of sums a thread. It knows the rules' usual answers alone,
// and what never happens in that play (fusions, the option, a second pile) is left out. It counts events, points and wins.
//   cc -O3 -march=native -pthread -DN=4 yardstick.c -o yardstick && ./yardstick GAMES THREADS SEED
// One JSON line comes back: nanoseconds a round (CPU time of all threads; wall clock), share of each event, points and win share by seat.
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
#define ROUNDS (3 * N)
#define DECK 102
typedef uint64_t u64;
typedef uint32_t u32;
enum { MIROIR, FRAPPE, COUP, COUPS, EPARGNE, MAITRE, BONUS, EVENTS };
// Card c: family c / 17 (0-3 classic, 4 Rainbow, 5 Shadow), value c % 17, its total as printed, and how far up it adjusts when hidden.
static int8_t PRINTED[DECK], SLACK[DECK], FAMILY[DECK], VALUE[DECK];

static void tables(void) {
    for (int c = 0; c < DECK; c++) {
        int f = c / 17, v = c % 17;
        FAMILY[c] = f; VALUE[c] = v;
        PRINTED[c] = f == 5 ? -v : v;
        SLACK[c] = f == 4 ? 3 : f == 5 ? (v < 3 ? v : 3) : 0;
    }
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

typedef struct { u64 event[EVENTS], points[N], pot_end, pot_sum, wins60[N]; } tally;

static void play(rng *g, u64 games, tally *t) {
    for (u64 game = 0; game < games; game++) {
        uint8_t deck[DECK], hand[N][3];
        for (int i = 0; i < DECK; i++) deck[i] = i;
        int top = 0, pot = 0, points[N] = {0}, hand_size[N];
        for (int p = 0; p < N; p++) hand_size[p] = 3;
// one step of a Fisher-Yates shuffle: only the cards that are drawn are shuffled
#define DRAW(dst) do { u32 j_ = top + below(g, DECK - top); uint8_t c_ = deck[j_]; deck[j_] = deck[top]; top++; (dst) = c_; } while (0)
        for (int p = 0; p < N; p++) for (int h = 0; h < 3; h++) DRAW(hand[p][h]);
        for (int r = 0; r < ROUNDS; r++) {
            int b = r % N, pick[N], hid[N], base[N], gap[N];
            uint8_t vis[N];
            for (int p = 0; p < N; p++) DRAW(vis[p]);
            for (int p = 0; p < N; p++) if (hand_size[p] == 0) { DRAW(hand[p][0]); hand_size[p] = 1; }
            // the bluffer hides any card; so do the others, but for a Miroir that the hand allows
            pick[b] = below(g, hand_size[b]); hid[b] = hand[b][pick[b]];
            int fb = FAMILY[vis[b]], vb = VALUE[vis[b]], fh = FAMILY[hid[b]], vh = VALUE[hid[b]];
            int mirrorable = fb < 4 && fh < 4 && fb != fh && vb != vh, mirror = -1;
            int want1 = fb * 17 + vh, want2 = fh * 17 + vb;
            for (int p = 0; p < N; p++) {
                if (p == b) continue;
                int k = below(g, hand_size[p]);
                if (mirrorable && (vis[p] == want1 || vis[p] == want2)) {
                    int want = vis[p] == want1 ? want2 : want1;
                    for (int h = 0; h < hand_size[p]; h++) if (hand[p][h] == want) { k = h; mirror = p; }
                }
                pick[p] = k; hid[p] = hand[p][k];
                base[p] = PRINTED[vis[p]] + PRINTED[hid[p]];
            }
            // the bluffer's total: within reach, what the fewest others hit, and the least adjustment among equals
            int total0 = PRINTED[vis[b]] + PRINTED[hid[b]], total = total0, fewest = N + 1;
            for (int s = 0; s <= SLACK[hid[b]]; s++) {
                int exact = 0;
                for (int p = 0; p < N; p++) if (p != b) { int d = total0 + s - base[p]; exact += d >= 0 && d <= SLACK[hid[p]]; }
                if (exact < fewest) { fewest = exact; total = total0 + s; }
            }
            // gaps, clockwise from the bluffer; the best Frappe has the lower visible card
            int hidden_points = VALUE[hid[b]], exact = 0, who = -1, frappe = -1;
            for (int k = 1; k < N; k++) {
                int p = (b + k) % N, d = total - base[p];
                gap[p] = d < 0 ? -d : d > SLACK[hid[p]] ? d - SLACK[hid[p]] : 0;
                hidden_points += VALUE[hid[p]];
                if (gap[p] == 0) {
                    exact++; who = p;
                    if (FAMILY[vis[p]] == FAMILY[hid[p]] && (frappe < 0 || VALUE[vis[p]] < VALUE[vis[frappe]])) frappe = p;
                }
            }
            // the ladder, rarest first; `back`: visible cards return to the hands
            int event, back = 1;
            if (mirror >= 0) {
                event = MIROIR; back = 0;
                int gain = hidden_points + pot;
                for (int p = 0; p < N; p++) if (p != mirror) gain += VALUE[vis[p]];
                points[mirror] += gain; pot = 0;
            } else if (frappe >= 0) { event = FRAPPE; points[frappe] += hidden_points + pot; pot = 0; }
            else if (exact == 1) { event = COUP; points[who] += hidden_points; }
            else if (exact > 1) {
                event = COUPS;
                for (int p = 0; p < N; p++) if (p != b) { if (gap[p] == 0) points[p] += VALUE[hid[p]]; else pot += VALUE[hid[p]]; }
            } else {
                // nobody exact: closest and farthest, by the lower visible card among equals, then clockwise
                int near = -1, far = -1;
                for (int k = 1; k < N; k++) { int p = (b + k) % N; if (near < 0 || gap[p] < gap[near] || (gap[p] == gap[near] && VALUE[vis[p]] < VALUE[vis[near]])) near = p; }
                for (int k = 1; k < N; k++) { int p = (b + k) % N; if (p != near && (far < 0 || gap[p] > gap[far] || (gap[p] == gap[far] && VALUE[vis[p]] < VALUE[vis[far]]))) far = p; }
                points[near] += VALUE[hid[near]];
                points[b] += VALUE[hid[b]];
                pot += hidden_points - VALUE[hid[b]] - VALUE[hid[near]] - VALUE[hid[far]];
                if (FAMILY[vis[far]] == FAMILY[hid[far]]) { event = EPARGNE; points[far] += VALUE[hid[far]]; }
                else {
                    event = MAITRE; points[b] += VALUE[hid[far]];
                    int shared = 0;
                    for (int p = 0; p < N; p++) if (p != b) shared |= FAMILY[vis[p]] == fb || FAMILY[vis[p]] == fh || FAMILY[hid[p]] == fb || FAMILY[hid[p]] == fh;
                    if (!shared) { event = BONUS; points[b] += pot; pot = 0; }
                }
            }
            // the visible card takes the hidden one's slot; suffering a Miroir costs a card of the hand
            t->event[event]++; t->pot_sum += pot;
            for (int p = 0; p < N; p++) {
                if (back || p == mirror) hand[p][pick[p]] = vis[p];
                else hand[p][pick[p]] = hand[p][--hand_size[p]];
            }
        }
        // a shared win counts for each winner, in sixtieths
        int best = 0, ties = 0;
        for (int p = 0; p < N; p++) { t->points[p] += points[p]; if (points[p] > best) best = points[p]; }
        for (int p = 0; p < N; p++) ties += points[p] == best;
        for (int p = 0; p < N; p++) if (points[p] == best) t->wins60[p] += 60 / ties;
        t->pot_end += pot;
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
    double wall = now(CLOCK_MONOTONIC) - w0, rounds = (double)games * ROUNDS;
    static const char *name[] = {"miroir_parfait", "frappe_parfaite", "coup_precis", "coup_precis_multiple", "epargne", "coup_de_maitre", "coup_de_maitre_bonus"};
    printf("{\"players\":%d,\"threads\":%d,\"games\":%llu,\"ns_per_round_cpu\":%.3f,\"ns_per_round_wall\":%.3f", N, th, (unsigned long long)games, cpu * 1e9 / rounds, wall * 1e9 / rounds);
    for (int i = 0; i < EVENTS; i++) printf(",\"%s\":%.6f", name[i], t.event[i] / rounds);
    printf(",\"mean_pot\":%.3f,\"pot_left\":%.3f,\"points\":[", t.pot_sum / rounds, t.pot_end / (double)games);
    for (int i = 0; i < N; i++) printf("%s%.3f", i ? "," : "", t.points[i] / (double)games);
    printf("],\"win_share\":["); for (int i = 0; i < N; i++) printf("%s%.5f", i ? "," : "", t.wins60[i] / 60.0 / games);
    printf("]}\n");
}

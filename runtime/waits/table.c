// table.c - tables of waits in mapped memory: added to under a lock, read without it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define _GNU_SOURCE
#include "runtime/waits/table.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/mman.h>

// A site takes 56 bytes, a peer 24, an arrival 40; slots of the hash tables 4.
enum {
  SITES_MAX = 4096,
  PEERS_MAX = 1 << 15,
  ARRIVALS_MAX = 1024,
  SLOTS = 4, // of a hash table for each record that it can hold
  NAME_BYTES = 128,
  SPINS = 64, // until another thread, which may wait for a processor, gets one
};

static struct {
  int lock;
  int is_watched; // forks are
  uint64_t mask;  // of arrivals' hashes: those are kept in which all these bits are 0
  struct reticle_wait_site *sites;
  struct reticle_wait_peer *peers;
  struct reticle_wait_arrival *arrivals;
  uint32_t *site_slots, *peer_slots; // 1 + index
  char names[RETICLE_WAIT_SOURCES][NAME_BYTES];
  struct reticle_waits waits;
} state;

void waits_lock(void) {
  for (int spins = 0; __atomic_exchange_n(&state.lock, 1, __ATOMIC_ACQUIRE);)
    if (++spins % SPINS == 0)
      sched_yield();
}

static int try_lock(void) {
  for (int spins = 0; spins < SPINS; spins++)
    if (!__atomic_exchange_n(&state.lock, 1, __ATOMIC_ACQUIRE))
      return 1;
  return 0;
}

void waits_unlock(void) { __atomic_store_n(&state.lock, 0, __ATOMIC_RELEASE); }

void *waits_map(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

// The child counts its own; call sites stay where they are.
static void forget(void) {
  for (uint32_t i = 0; i < state.waits.site_count; i++) {
    struct reticle_wait_site *site = &state.sites[i];
    site->calls = site->bytes = site->time_ns = site->longest_ns = 0;
  }
  if (state.peer_slots)
    memset(state.peer_slots, 0, PEERS_MAX * SLOTS * sizeof *state.peer_slots);
  state.waits.peer_count = state.waits.arrival_count = 0;
  state.mask = 0;
  for (int i = 0; i < RETICLE_WAIT_SOURCES; i++)
    state.waits.sources[i].lost = state.waits.sources[i].untracked = 0;
  waits_unlock();
}

static int open_tables(void) {
  if (state.sites)
    return 1;
  size_t peers = PEERS_MAX * sizeof *state.peers, sites = SITES_MAX * sizeof *state.sites;
  size_t arrivals = ARRIVALS_MAX * sizeof *state.arrivals;
  size_t site_slots = SITES_MAX * SLOTS * sizeof *state.site_slots;
  size_t peer_slots = PEERS_MAX * SLOTS * sizeof *state.peer_slots;
  char *memory = waits_map(sites + peers + arrivals + site_slots + peer_slots);
  if (!memory)
    return 0;
  state.sites = (void *)memory;
  state.peers = (void *)(memory += sites);
  state.arrivals = (void *)(memory += peers);
  state.site_slots = (void *)(memory += arrivals);
  state.peer_slots = (void *)(memory + site_slots);
  state.waits.version = RETICLE_WAITS_VERSION;
  state.waits.site_bytes = sizeof *state.sites;
  state.waits.peer_bytes = sizeof *state.peers;
  state.waits.arrival_bytes = sizeof *state.arrivals;
  state.waits.sites = state.sites;
  state.waits.peers = state.peers;
  state.waits.arrivals = state.arrivals;
  return 1;
}

int waits_attach(void) {
  int (*attach)(const struct reticle_waits *) =
      (int (*)(const struct reticle_waits *))dlsym(RTLD_DEFAULT, RETICLE_WAITS_ATTACH_NAME);
  if (!attach)
    return 0;
  waits_lock();
  int is_wanted = open_tables() && attach(&state.waits);
  int watches = is_wanted && !state.is_watched;
  state.is_watched |= watches;
  waits_unlock();
  if (watches)
    pthread_atfork(waits_lock, waits_unlock, forget);
  return is_wanted;
}

void waits_set_source(uint32_t source, const char *name, uint32_t wait_state) {
  waits_lock();
  size_t length = strcspn(name, "\r\n,");
  if (length >= NAME_BYTES)
    length = NAME_BYTES - 1;
  for (size_t i = 0; i < length; i++) // MPICH has tabs
    state.names[source][i] = (unsigned char)name[i] < ' ' ? ' ' : name[i];
  state.names[source][length] = 0;
  state.waits.sources[source].state = wait_state;
  __atomic_store_n(&state.waits.sources[source].name, state.names[source], __ATOMIC_RELEASE);
  waits_unlock();
}

// --- finding ------------------------------------------------------------------------------------

static uint64_t mix(uint64_t a) { // the finaliser of MurmurHash3
  a = (a ^ a >> 33) * UINT64_C(0xff51afd7ed558ccd);
  a = (a ^ a >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
  return a ^ a >> 33;
}

/// The site, also without the lock; UINT32_MAX: there is none. *slot gets where it belongs.
static uint32_t look_up_site(const struct waits_call *call, uint32_t **slot) {
  uint64_t hash = mix((uintptr_t)call->address * 31 + (uintptr_t)call->operation) + call->thread;
  for (uint64_t at = hash;; at++) {
    *slot = &state.site_slots[at % (SITES_MAX * SLOTS)];
    uint32_t number = __atomic_load_n(*slot, __ATOMIC_ACQUIRE);
    if (!number)
      return UINT32_MAX;
    const struct reticle_wait_site *site = &state.sites[number - 1];
    if (site->address == (uintptr_t)call->address && site->operation == call->operation &&
        site->thread == call->thread)
      return number - 1;
  }
}

static uint32_t find_site(const struct waits_call *call) {
  uint32_t *slot, found = look_up_site(call, &slot), next = state.waits.site_count;
  if (found != UINT32_MAX || next == SITES_MAX)
    return found;
  state.sites[next] = (struct reticle_wait_site){.address = (uintptr_t)call->address,
                                                 .operation = call->operation,
                                                 .thread = call->thread,
                                                 .kind = call->kind};
  __atomic_store_n(slot, next + 1, __ATOMIC_RELEASE);
  __atomic_store_n(&state.waits.site_count, next + 1, __ATOMIC_RELEASE);
  return next;
}

static struct reticle_wait_peer *find_peer(uint32_t site, uint32_t rank) {
  for (uint64_t at = mix((uint64_t)site << 32 | rank);; at++) {
    uint32_t *slot = &state.peer_slots[at % (PEERS_MAX * SLOTS)];
    if (!*slot) {
      uint32_t next = state.waits.peer_count;
      if (next == PEERS_MAX)
        return NULL;
      state.peers[next] = (struct reticle_wait_peer){.site = site, .rank = rank};
      *slot = next + 1;
      __atomic_store_n(&state.waits.peer_count, next + 1, __ATOMIC_RELEASE);
      return &state.peers[next];
    }
    struct reticle_wait_peer *peer = &state.peers[*slot - 1];
    if (peer->site == site && peer->rank == rank)
      return peer;
  }
}

// --- adding -------------------------------------------------------------------------------------

// One writer at a time; the runtime's thread reads each number whole.
static void add(uint64_t *number, uint64_t more) {
  __atomic_store_n(number, *number + more, __ATOMIC_RELAXED);
}

uint32_t waits_add(const struct waits_call *call) {
  uint32_t index = find_site(call);
  if (index == UINT32_MAX) {
    add(&state.waits.sources[call->source].lost, 1);
    return index;
  }
  struct reticle_wait_site *site = &state.sites[index];
  add(&site->calls, 1);
  add(&site->bytes, call->bytes);
  add(&site->time_ns, call->time_ns);
  if (call->time_ns > site->longest_ns)
    __atomic_store_n(&site->longest_ns, call->time_ns, __ATOMIC_RELAXED);
  return index;
}

void waits_add_atomic(const struct waits_call *call) {
  uint32_t *slot, index = look_up_site(call, &slot);
  if (index == UINT32_MAX && try_lock()) {
    index = find_site(call);
    waits_unlock();
  }
  if (index == UINT32_MAX) {
    __atomic_fetch_add(&state.waits.sources[call->source].lost, 1, __ATOMIC_RELAXED);
    return;
  }
  struct reticle_wait_site *site = &state.sites[index];
  __atomic_fetch_add(&site->calls, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&site->time_ns, call->time_ns, __ATOMIC_RELAXED);
  uint64_t longest = __atomic_load_n(&site->longest_ns, __ATOMIC_RELAXED);
  while (longest < call->time_ns &&
         !__atomic_compare_exchange_n(&site->longest_ns, &longest, call->time_ns, 1,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
}

void waits_add_peer(uint32_t site, uint32_t rank, uint64_t time_ns) {
  if (site == UINT32_MAX || rank == RETICLE_WAIT_NOBODY)
    return;
  struct reticle_wait_peer *peer = find_peer(site, rank);
  if (!peer)
    return;
  add(&peer->calls, 1);
  add(&peer->time_ns, time_ns);
}

void waits_add_untracked(void) { add(&state.waits.sources[RETICLE_WAIT_MPI].untracked, 1); }

static uint64_t hash_arrival(const struct reticle_wait_arrival *arrival) {
  return mix(arrival->group ^ mix(arrival->number + 1));
}

// Halves them. Which are left depends on what all ranks know alike, not on the time of a rank.
static void thin_arrivals(void) {
  uint32_t kept = 0, count = state.waits.arrival_count;
  __atomic_store_n(&state.waits.shuffles, state.waits.shuffles + 1, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
  state.mask = state.mask << 1 | 1;
  for (uint32_t i = 0; i < count; i++)
    if (!(hash_arrival(&state.arrivals[i]) & state.mask))
      state.arrivals[kept++] = state.arrivals[i];
  __atomic_store_n(&state.waits.arrival_count, kept, __ATOMIC_RELAXED);
  __atomic_store_n(&state.waits.shuffles, state.waits.shuffles + 1, __ATOMIC_RELEASE);
}

void waits_add_arrival(const struct waits_call *call, uint32_t site, uint64_t group,
                       uint64_t number, uint32_t root) {
  struct reticle_wait_arrival arrival = {group, number, call->start_ns, call->time_ns, site, root};
  if (site == UINT32_MAX || !group || (hash_arrival(&arrival) & state.mask))
    return;
  while (state.waits.arrival_count == ARRIVALS_MAX && state.mask != UINT64_MAX)
    thin_arrivals();
  if (state.waits.arrival_count == ARRIVALS_MAX || (hash_arrival(&arrival) & state.mask))
    return;
  state.arrivals[state.waits.arrival_count] = arrival;
  __atomic_store_n(&state.waits.arrival_count, state.waits.arrival_count + 1, __ATOMIC_RELEASE);
}

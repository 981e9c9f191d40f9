/** Bounds on one frame from a worker: a result at its ceiling in the longest UTF-8 form, and what surrounds it. */
export const FRAME_MAX_BYTES = 4 * 1024 * 1024

/** Nesting of any JSON from a worker. Deeper than any schema that is accepted; far from the parser's stack. */
export const JSON_MAX_DEPTH = 160

/** Nesting of a value that a program returns, logs or gives as arguments; the rest is refused or cut. */
export const VALUE_MAX_DEPTH = 128

/** Source of one program: more than any model writes in one answer, small enough to compile in milliseconds. */
export const SOURCE_MAX_BYTES = 256 * 1024

/** Operations of one run, timers included: an interval of 1 ms for the longest wall clock, and room. */
export const OPERATIONS_PER_RUN = 20_000

/** Operations and timers asked and not answered at one time; the program may set 1,024 timers. */
export const OPERATIONS_PENDING = 2048

/** Bytes that one run may send: 64 calls at their argument limit, output, log, and room. */
export const RUN_BYTES_OUT = 32 * 1024 * 1024

/** Text of one error that leaves the isolate: long enough for any real message. */
export const ERROR_MESSAGE_CHARS = 4096
export const ERROR_NAME_CHARS = 128

/** Journal kept in memory to carry a run over the loss of its worker; a bigger run is not carried over. */
export const CARRY_JOURNAL_BYTES = 8 * 1024 * 1024

/** Times that one run is carried over: a second loss is no accident. */
export const CARRY_ATTEMPTS = 1

/** Workers that a run is carried to before one of them lives: all may have been killed at once, by the kernel or a person. */
export const CARRY_WORKERS = 4

/** A worker may have leaked a little after this many isolates; measured harmless well beyond it. */
export const RUNS_PER_WORKER = 500

/** Resident growth over the size when it was ready, at which an idle worker is replaced. */
export const WORKER_CREEP_BYTES = 48 * 1024 * 1024

/** How often resident size and CPU time of running workers are read; a bomb of 1 GB/s gains 25 MB between looks. */
export const WATCHDOG_INTERVAL_MS = 25

/** CPU time between two looks, in the clock's ticks of 10 ms, by which a program counts as one that computes for long. */
export const YIELD_CPU_MS = 20

/** V8's memory limit is soft: what a worker may grow beyond twice the limit before it is killed. */
export const RESIDENT_SLACK_BYTES = 32 * 1024 * 1024

/** CPU time is read in ticks of 10 ms and every 25 ms: less than this over the limit is not told apart from it. */
export const CPU_SLACK_MS = 20

/** Backstop of the watchdog, in the isolate itself, as a multiple of the CPU time left: wall time on a busy machine. */
export const SECTION_TIMEOUT_FACTOR = 2

/** A worker that does not report ready in this time is given up: 100 ms is usual, a loaded machine takes seconds. */
export const WORKER_START_MS = 15_000

/** Runs that wait for a worker, in all and of one tenant. */
export const QUEUE_MAX = 256
export const QUEUE_MAX_PER_TENANT = 64

/** How long a run waits for a worker before it ends `busy`. */
export const QUEUE_WAIT_MS = 10_000

/** Idle workers above the floor end after this time. */
export const WORKER_IDLE_MS = 30_000

/** What configuration may ask for at most. */
export const LIMIT_CEILINGS = {
  cpuMs: 30_000,
  wallMs: 60_000,
  memoryMb: 512,
  calls: 1024,
  callsInFlight: 64,
  argumentBytes: 1024 * 1024,
  resultIntoIsolateBytes: 4 * 1024 * 1024,
  outputBytes: 1024 * 1024,
  logBytes: 256 * 1024,
} as const

/** What a program gets unless configuration says otherwise. */
export const DEFAULT_LIMITS = {
  cpuMs: 2000,
  wallMs: 10_000,
  memoryMb: 64,
  calls: 64,
  callsInFlight: 16,
  argumentBytes: 256 * 1024,
  resultIntoIsolateBytes: 1024 * 1024,
  outputBytes: 1024 * 1024,
  logBytes: 16 * 1024,
} as const

/**
 * Isolates that a worker makes ahead, all at once when it has none left: three, so that two runs of three find their
 * worker ready at once. Each takes 1.5 MiB, and 256 MiB of address space.
 */
export const SPARE_ISOLATES = 3

/** Workers kept ready: two, so that one makes its next isolate while the other runs. */
export const WORKERS_MIN = 2

/** Workers at most, for each core: programs mostly wait for their tools, and a worker that waits costs 20 MB of its own and no time. */
export const WORKERS_PER_CORE = 8

/** What configuration may ask for at most, whatever the machine. */
export const WORKERS_CEILING = 512

/** Runs that compute at one time, at least: on one core a program that only computes holds up others for `CORE_HOLD_MS`. */
export const CORES_MIN = 2

/** How long a program that computes keeps a core from those that wait to start; a usual run is over after a tenth of it. */
export const CORE_HOLD_MS = 20

/**
 * Programs that compute at one time, for each core: more would each get too little of it to end in their time. Beyond it
 * only a tenant that runs nothing starts one.
 */
export const COMPUTING_PER_CORE = 4

/** A program whose answers take longer than this waits for its tools, and another may start. */
export const CORE_WAITING_MS = 1

/** How often runs that wait for a core look for one that is held no more. */
export const CORE_LOOK_MS = 1

/** Workers that start at one time: each takes a core for 100 ms, which running programs feel. */
export const WORKERS_STARTING = 2

/** How often is looked for a moment without runs to start a worker in, and how long at most: one that is ready serves meanwhile. */
export const START_LOOK_MS = 2
export const START_PATIENCE_MS = 250

/** Starts that may fail one after the other before no more are tried for a while. */
export const WORKER_START_FAILURES = 5
export const WORKER_START_PAUSE_MS = 5000

/** How often a worker's resident size is looked at for creep, in runs. */
export const CREEP_CHECK_RUNS = 50

/** Paths of members that were undefined, of a program's value: three of the prelude's, of 200 characters each. */
export const ABSENT_PLACES_CHARS = 640

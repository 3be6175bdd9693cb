/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A profile in memory: the samples and exact counts of one run or of several, by image and address, with what analyses
 * and exports need of the images when the files are gone. pcemu makes it from the results of a run, the profile store
 * keeps it and returns it merged; analyses, tables and exports read it. Texts are printable (base/text.h).
 *
 * Addresses are link-time addresses in their image, as objdump prints them, so runs that mapped an image elsewhere
 * agree. Images, events and files have numbers from 0, in the order in which they were added. */
#ifndef HOST_PROFILE_PROFILE_H
#define HOST_PROFILE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile_symbol {
    uint64_t start, size_bytes;
    const char *name;  /* in the ELF file */
    const char *shown; /* demangled; the name itself if it is not mangled */
    /* `shown`, of several functions of the image with "@0xSTART": what tables and exports name the function.
     * profile_add_image sets it. */
    const char *unique;
};

/* Source line of the code from `start` to the next row's. */
struct profile_line {
    uint64_t start;
    uint32_t file; /* PROFILE_NO_FILE: from here on no line is known */
    uint32_t line;
    uint32_t discriminator; /* DWARF 5, section 6.2.2 */
};
#define PROFILE_NO_FILE UINT32_MAX

/* A function, or a call of one that the compiler has inlined (DWARF 5, section 3.3.8). */
struct profile_scope {
    const char *name;    /* of the function, in the ELF file */
    const char *shown;   /* demangled; the name itself if it is not mangled */
    uint32_t file, line; /* its declaration; file PROFILE_NO_FILE: unknown */
    uint32_t
        caller; /* number of the scope that the call is inlined into, a smaller one; PROFILE_NO_SCOPE: not inlined */
    uint32_t call_file, call_line, call_discriminator; /* of an inlined call: its place in `caller` */
};
#define PROFILE_NO_SCOPE UINT32_MAX

/* Innermost scope of the code from `start` to the next row's. */
struct profile_scope_range {
    uint64_t start;
    uint32_t scope; /* PROFILE_NO_SCOPE: from here on none is known */
};

/* The bytes of a section. */
struct profile_code {
    uint64_t start;
    size_t size_bytes;
    const uint8_t *bytes;
    uint64_t file_offset; /* of the section in the file */
};

struct profile_image {
    const char *build_id; /* hexadecimal digits; of a file without one "sha1:" and the hash of the file */
    const char *path;     /* when it was profiled */
    const char *name;     /* last part of the path; "anonymous": code in memory that no file is mapped to */
    const struct profile_symbol *symbol; /* functions, in ascending order of start, which do not overlap */
    size_t symbols;
    const struct profile_line *line; /* in ascending order of start */
    size_t lines;
    const struct profile_code *code; /* in ascending order of start */
    size_t codes;
    const struct profile_scope *scope; /* a caller is before what is inlined into it */
    size_t scopes;
    const struct profile_scope_range *scope_range; /* in ascending order of start */
    size_t scope_ranges;
    /* Bytes of sections that the program reads and never writes, where tables of code addresses are, with the addresses
     * that the linker gave; in ascending order of start. NULL: not kept, and analyses of code then miss the edges of
     * jump tables. */
    const struct profile_code *data;
    size_t datas;
};

/* The `by` of gains that were measured in repeated runs. */
#define PROFILE_GAIN_MEASURED "gain"

/* How the values of an event came about. */
enum profile_source {
    PROFILE_EXACT,   /* every event was counted, or every cycle attributed */
    PROFILE_COUNTER, /* samples of an event counter, at the address of its interrupt */
    PROFILE_TIME,    /* samples of a profiler of time, in cycles */
    PROFILE_COUNTS,  /* samples of instructions (ProfileMe) */
    PROFILE_PROGRAM  /* a column of a profiling program's report */
};

struct profile_event {
    const char *name; /* "cycles", "retired", "dcache-miss": a name of contract/countprof.def where it has one */
    const char *by;   /* the profiler as the user gave it, or the program and its column; exact: the reference's name */
    const char *unit;
    enum profile_source source;
    double scale;    /* from a value to an estimate of events or cycles; exact: 1 */
    double period;   /* mean number of events between two samples; 0: does not apply */
    double total;    /* exact number of events of the runs; NAN: unknown */
    uint64_t lost;   /* samples taken and not delivered */
    double unplaced; /* values whose address belongs to no image: unknown samples */
    uint64_t runs;   /* number of runs that have the event; 0: unknown */
};

/* Values at an address: samples, or exact counts, times `scale` an estimate. */
struct profile_sample {
    uint32_t image;
    uint64_t address;
    double value;
};

/* Values of a control transfer between two addresses: from the branch, jump, call or return to its destination. */
struct profile_edge {
    uint32_t from_image, to_image;
    uint64_t from, to;
    double value;
};

struct profile_place {
    uint32_t image;
    uint64_t address;
};

/* Frames of call stacks, as a tree. */
struct profile_frame {
    struct profile_place at; /* the instruction sampled; of a caller, its call */
    uint32_t caller;         /* its frame, which has a smaller number; 0: none is known */
    uint32_t depth;          /* number of frames, this one included */
};

/* Values of a call stack, by its innermost frame; 0: a stack without frames. */
struct profile_stack {
    uint32_t frame;
    double value;
};

struct profile;

/* Makes an empty profile. */
struct profile *profile_new(void);
/* NULL is allowed. */
void profile_free(struct profile *p);
/* Removes the events and their values; images and files stay. */
void profile_remove_events(struct profile *p);

/* Each copies its argument, what it points to included, and returns the number. An image with the same build ID and
 * name, an event with the same name, `by` and source is added once: the next time its number is returned, and the
 * event's totals, lost, unplaced and runs are added up. Lines name their files by the numbers of profile_add_file. */
uint32_t profile_add_image(struct profile *p, const struct profile_image *image);
uint32_t profile_add_event(struct profile *p, const struct profile_event *event);
uint32_t profile_add_file(struct profile *p, const char *path);

/* Add a value at a place; values of the same place and event are summed. In any order. */
void profile_add_sample(struct profile *p, uint32_t event, struct profile_sample sample);
void profile_add_edge(struct profile *p, uint32_t event, struct profile_edge edge);
void profile_add_stack(struct profile *p, uint32_t event, struct profile_stack stack);

/* The number of the frame with this caller and place, added at its first call; of the innermost frame of a path, whose
 * place[0] is the innermost. */
uint32_t profile_add_frame(struct profile *p, uint32_t caller, struct profile_place place);
uint32_t profile_add_path(struct profile *p, const struct profile_place *place, size_t depth);

/* Packs the samples of an event, until they are read or added to: an event of a million addresses then takes a third of
 * the memory or less. */
void profile_pack(const struct profile *p, uint32_t event);

/* Adds the number of a run that has the event; in ascending order. A profile of one run needs no numbers. */
void profile_add_run(struct profile *p, uint32_t event, int64_t run);
/* Returns whether two events are of the same runs: as many, and with the same numbers. */
bool profile_same_runs(const struct profile *p, uint32_t a, uint32_t b);

size_t profile_images(const struct profile *p);
size_t profile_events(const struct profile *p);
/* The profile owns what these return, until something is added. */
const struct profile_image *profile_image(const struct profile *p, uint32_t image);
const struct profile_event *profile_event(const struct profile *p, uint32_t event);
const char *profile_file(const struct profile *p, uint32_t file);
/* An event's samples in ascending order of image and address, edges by `from` and `to`, stacks by their frames from the
 * outermost. */
const struct profile_sample *profile_samples(const struct profile *p, uint32_t event, size_t *count);
const struct profile_edge *profile_edges(const struct profile *p, uint32_t event, size_t *count);
const struct profile_stack *profile_stacks(const struct profile *p, uint32_t event, size_t *count);

/* Frames from 1 up to this number, which is not included. */
uint32_t profile_frames_end(const struct profile *p);
const struct profile_frame *profile_frame(const struct profile *p, uint32_t frame);
/* The frames in the order of stacks, callers before their callees, from element 0, which is the root; for the caller to
 * free. */
uint32_t *profile_frames_in_order(const struct profile *p);
/* The frames of a stack from `frame`, which is the first, outwards. */
struct profile_path {
    uint32_t *frame; /* freed by the caller, with free() */
    size_t depth, room;
};
void profile_path_read(struct profile_path *path, const struct profile *p, uint32_t frame);

/* An event's value at an address, and its sum from `start` up to `end`, which is not included. */
double profile_value(const struct profile *p, uint32_t event, uint32_t image, uint64_t address);
double profile_sum(const struct profile *p, uint32_t event, uint32_t image, uint64_t start, uint64_t end);
/* The lowest address from `start` up to `end` with a value of the event; `end` if there is none. */
uint64_t profile_next_address(const struct profile *p, uint32_t event, uint32_t image, uint64_t start, uint64_t end);

/* Returns whether a text names an event: NAME, NAME@BY, or NAME@PROFILER, where the profiler lacks its options. */
bool profile_event_is_named(const struct profile_event *e, const char *text);

/* The number of the event with this name and source; the first one added if several profilers have it. */
#define PROFILE_NO_EVENT UINT32_MAX
uint32_t profile_find_event(const struct profile *p, const char *name, enum profile_source source);

/* The function at an address, or NULL. */
const struct profile_symbol *profile_find_symbol(const struct profile_image *image, uint64_t address);
/* The line at an address, or NULL. */
const struct profile_line *profile_find_line(const struct profile_image *image, uint64_t address);
/* The innermost scope at an address, or NULL. */
const struct profile_scope *profile_find_scope(const struct profile_image *image, uint64_t address);
/* Index of the image's first range of scopes that starts behind the address; scope_ranges: there is none. */
size_t profile_scope_range_behind(const struct profile_image *image, uint64_t address);

#endif

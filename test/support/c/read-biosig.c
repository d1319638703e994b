/* Prints what biosig finds in a file: one JSON object with rate and all digital samples of every signal; with a second argument only
   how long reading took, for the bench. Built by test/support/independent.ts. */

#include <biosig.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return 1e3 * (double)time.tv_sec + 1e-6 * (double)time.tv_nsec;
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  double start = now_ms();
  HDRTYPE *header = sopen(argv[1], "r", NULL);
  if (header == NULL || serror2(header)) {
    fprintf(stderr, "refused\n");
    return 1;
  }
  header->FLAG.UCAL = 1;
  header->FLAG.OVERFLOWDETECTION = 0;
  header->FLAG.ROW_BASED_CHANNELS = 0;
  sread(NULL, 0, (size_t)header->NRec, header);
  double took = now_ms() - start;
  size_t rows = header->data.size[0], columns = header->data.size[1];
  if (argc > 2) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("{\"ms\":%.3f,\"samples\":%zu,\"peakBytes\":%ld}\n", took, rows * columns, usage.ru_maxrss * 1024);
    return 0;
  }
  printf("{\"rateHz\":%.12g,\"signals\":[", header->SampleRate);
  for (size_t column = 0; column < columns; column++) {
    const CHANNEL_TYPE *facts = header->CHANNEL + column;
    printf("%s{\"scale\":%.12g,\"offset\":%.12g,\"samples\":[", column ? "," : "", facts->Cal, facts->Off);
    for (size_t row = 0; row < rows; row++) printf(row ? ",%.0f" : "%.0f", header->data.block[column * rows + row]);
    printf("]}");
  }
  printf("]}\n");
  return 0;
}

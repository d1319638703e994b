/* Prints what EDFlib, a strict reader of EDF+ and BDF+, finds in a file: one JSON object with scale and all digital samples of
   every signal, and the annotations. Built by test/support/independent.ts. */

#include <edflib.h>
#include <stdio.h>
#include <stdlib.h>

static void print_text(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') putchar('\\');
    putchar(*text);
  }
  putchar('"');
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  static struct edf_hdr_struct header;
  if (edfopen_file_readonly(argv[1], &header, EDFLIB_READ_ALL_ANNOTATIONS)) {
    fprintf(stderr, "refused with code %d\n", header.filetype);
    return 1;
  }
  printf("{\"signals\":[");
  for (int signal = 0; signal < header.edfsignals; signal++) {
    const struct edf_param_struct *facts = &header.signalparam[signal];
    printf("%s{\"label\":", signal ? "," : "");
    print_text(facts->label);
    printf(",\"unit\":");
    print_text(facts->physdimension);
    printf(",\"physicalMinimum\":%.12g,\"physicalMaximum\":%.12g,\"digitalMinimum\":%d,\"digitalMaximum\":%d,\"rateHz\":%.12g,\"samples\":[",
           facts->phys_min, facts->phys_max, facts->dig_min, facts->dig_max,
           (double)facts->smp_in_datarecord * 1e7 / (double)header.datarecord_duration);
    int count = (int)facts->smp_in_file;
    int *samples = malloc(sizeof(int) * (size_t)(count > 0 ? count : 1));
    int found = edfread_digital_samples(header.handle, signal, count, samples);
    for (int i = 0; i < found; i++) printf(i ? ",%d" : "%d", samples[i]);
    printf("]}");
    free(samples);
  }
  printf("],\"annotations\":[");
  for (long long i = 0; i < header.annotations_in_file; i++) {
    struct edf_annotation_struct annotation;
    if (edf_get_annotation(header.handle, (int)i, &annotation)) break;
    printf("%s{\"onsetSeconds\":%.7f,\"text\":", i ? "," : "", (double)annotation.onset / 1e7);
    print_text(annotation.annotation);
    putchar('}');
  }
  printf("],\"startSecond\":%d,\"startSubsecond\":%lld}\n", header.starttime_second, header.starttime_subsecond);
  edfclose_file(header.handle);
  return 0;
}

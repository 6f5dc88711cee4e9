/* What R asks of the library: texts in, texts out, in UTF-8. It is plain C, so that the package which R compiles needs no
 * header of Vernier's and no engine: both are behind the shared library that r/CMakeLists.txt builds. Nothing here throws,
 * prints or gives rows back. */
#ifndef VERNIER_R_H
#define VERNIER_R_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ArrowArrayStream;

/* What was answered: one text or more; of a failure the sentence, and then its parts as JSON. The caller frees it. */
typedef struct vernier_answer vernier_answer;
int vernier_failed(const vernier_answer* answer);
size_t vernier_texts(const vernier_answer* answer);
const char* vernier_text(const vernier_answer* answer, size_t place, size_t* bytes);
void vernier_free(vernier_answer* answer);

/* A parameter by its name in the library; one that is given several times has several values. */
typedef struct {
  const char* name;
  const char* value;
} vernier_word;

/* Called now and then, in the caller's own thread, with the share that is done; 0 stops the work. */
typedef int (*vernier_watch)(double done);

/* question: version, calibrate, compose, catalog, study, plan or verify. The texts are those of --json on the command line;
 * of a plan there is also the one for a person. */
vernier_answer* vernier_ask(const char* question, const vernier_word* words, size_t count);

/* The values stand in the place of a file where there are any. */
vernier_answer* vernier_coverage(const vernier_word* words, size_t count, const double* values, size_t length,
                                 vernier_watch watch);

/* Rows of tables that are declared with format = "arrow". The streams are taken, whatever comes of it. */
typedef struct {
  const char* table;
  struct ArrowArrayStream* rows;
} vernier_rows;

/* release.json, the report for a person, and "repeated" where the same request was answered before, else nothing. */
vernier_answer* vernier_release(const vernier_word* words, size_t count, const vernier_rows* tables, size_t length,
                                vernier_watch watch);

/* The functions of a law. The densities and probabilities lie in the middle of certified bounds. */
typedef enum {
  VERNIER_DENSITY,
  VERNIER_CUMULATIVE,
  VERNIER_TAIL,
  VERNIER_QUANTILE,
  VERNIER_SAMPLE
} vernier_function;

/* values[i] = function(points[i]) for i < length; a sample has no points. Points are finite, whole numbers below 2^53 in
 * size for integer noise, and probabilities for the quantile. The text says name, scale, standard deviation and whether
 * the noise is over the integers. */
vernier_answer* vernier_law(const char* mechanism, double scale, vernier_function function, const double* points,
                            double* values, size_t length, vernier_watch watch);

#ifdef __cplusplus
}
#endif
#endif

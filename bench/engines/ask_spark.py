"""Runs the statements that it is told, one a line, on a server of Spark Connect, and throws their rows away. Usage: ask_spark.py ADDRESS"""

import sys

from pyspark.sql import SparkSession


def main():
    spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
    for line in sys.stdin:
        rows = spark.sql(line)
        if line.startswith("SELECT"):
            rows.write.format("noop").mode("overwrite").save()
        print("done", flush=True)


if __name__ == "__main__":
    main()

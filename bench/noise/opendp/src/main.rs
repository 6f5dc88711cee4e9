//! OpenDP's crate in the noise benchmark: its public measurements over vectors of zeros.
//! Speaks the protocol of bench/README.md: a case a line comes in, its figure a line goes out.
use opendp::core::{Measure, Measurement, Metric};
use opendp::domains::{AtomDomain, VectorDomain};
use opendp::error::{Error, Fallible};
use opendp::measurements::{make_gaussian, make_laplace};
use opendp::measures::{MaxDivergence as Pure, ZeroConcentratedDivergence as Zcdp};
use opendp::metrics::{L1Distance as L1, L2Distance as L2};
use opendp::traits::CheckAtom;
use std::collections::HashMap;
use std::hint::black_box;
use std::io::{stdin, stdout, Write};

type Call = Box<dyn Fn() -> Fallible<()>>;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, seconds, size] = &arguments[..] else {
        panic!("give the CPU seconds of a figure and the length of a vector")
    };
    let seconds: f64 = seconds.parse().expect("the seconds are a number");
    let size: usize = size.parse().expect("the length is a whole number");
    let mut calls = HashMap::new();
    say("ready");
    for line in stdin().lines() {
        let case = line.expect("a case is a line of text");
        let figure = figure_of(&case, &mut calls, size, seconds);
        say(&figure.unwrap_or_else(|sentence| format!("none {sentence}")));
    }
}

fn say(answer: &str) {
    println!("{answer}");
    stdout().flush().expect("the harness reads the answer");
}

fn figure_of(case: &str, calls: &mut HashMap<String, Call>, size: usize, seconds: f64) -> Result<String, String> {
    if !calls.contains_key(case) {
        calls.insert(case.to_string(), call_of(case, size)?);
    }
    rate(&calls[case], size, seconds).map(|rate| rate.to_string()).map_err(sentence)
}

fn call_of(case: &str, size: usize) -> Result<Call, String> {
    let not_measured = || format!("OpenDP is not measured on {case}");
    let (law, scale) = case.rsplit_once(' ').ok_or_else(not_measured)?;
    let scale = scale.parse().map_err(|_| not_measured())?;
    vector_call(law, scale, size).map_err(sentence)?.ok_or_else(not_measured)
}

fn vector_call(law: &str, scale: f64, size: usize) -> Fallible<Option<Call>> {
    let grid = Some(grid_exponent(scale));
    let call = match law {
        "geometric" => call(make_laplace::<_, _, Pure>(vectors::<i64>(size), L1::<i64>::default(), scale, None)?, size),
        "discrete-gaussian" => {
            call(make_gaussian::<_, _, Zcdp>(vectors::<i64>(size), L2::<i64>::default(), scale, None)?, size)
        }
        "laplace" => call(make_laplace::<_, _, Pure>(vectors::<f64>(size), L1::<f64>::default(), scale, grid)?, size),
        "gaussian" => call(make_gaussian::<_, _, Zcdp>(vectors::<f64>(size), L2::<f64>::default(), scale, grid)?, size),
        _ => return Ok(None),
    };
    Ok(Some(call))
}

/// Real values live on the grid 2^k with 2^k near 2^-20 of the scale. OpenDP's own choice, 2^-1074, is far slower.
fn grid_exponent(scale: f64) -> i32 {
    scale.log2().floor() as i32 - 20
}

fn vectors<T: CheckAtom>(size: usize) -> VectorDomain<AtomDomain<T>> {
    VectorDomain::new(AtomDomain::new_non_nan()).with_size(size) // a grid is only accepted with a known size
}

fn call<T, M, P>(noise: Measurement<VectorDomain<AtomDomain<T>>, M, P, Vec<T>>, size: usize) -> Call
where
    T: CheckAtom + Default + 'static,
    M: Metric + 'static,
    P: Measure + 'static,
{
    let zeros = vec![T::default(); size];
    Box::new(move || noise.invoke(&zeros).map(|noisy| drop(black_box(noisy))))
}

/// Samples per second of this thread's CPU time, over as many calls as fill the seconds.
fn rate(call: &Call, size: usize, seconds: f64) -> Fallible<f64> {
    let start = thread_seconds();
    let mut samples = 0;
    loop {
        call()?;
        samples += size;
        let spent = thread_seconds() - start;
        if spent >= seconds {
            return Ok(samples as f64 / spent);
        }
    }
}

fn thread_seconds() -> f64 {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to `now` alone, which outlives it.
    let status = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut now) };
    assert_eq!(status, 0, "Linux has a CPU clock for each thread");
    now.tv_sec as f64 + now.tv_nsec as f64 * 1e-9
}

fn sentence(error: Error) -> String {
    error.message.unwrap_or_else(|| format!("{:?}", error.variant)).replace('\n', " ")
}

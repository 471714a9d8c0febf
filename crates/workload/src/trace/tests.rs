//! Traces good and broken, in all three packings, and the shared ones if they are there.

use super::*;
use crate::Workload;
use flate2::write::GzEncoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::io::Write;

const SMALL: &str = "time_s,key,size,op\n0,20,100,get\n0.5,3,7,set\n0.5,x,0,get\n2,20,300,get\n";

fn plain(text: &str) -> Result<Trace, TraceError> {
    Trace::read(text.as_bytes(), Compression::Plain)
}

fn message(bytes: &[u8]) -> String {
    Trace::read(bytes, Compression::Plain).err().map(|error| error.to_string()).unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    compress_to_vec(bytes, CompressionLevel::Fastest)
}

/// A trace of a few thousand rows, long enough for several compressed blocks to matter.
fn long_text() -> String {
    let rows = (0..20_000u32).map(|i| format!("{},k{},{},get\n", i / 10, i * 7919 % 4001, i % 977));
    std::iter::once("time_s,key,size,op\n".to_string()).chain(rows).collect()
}

#[test]
fn rows_become_requests_in_order_with_keys_as_positions() {
    let trace = plain(SMALL).unwrap();
    assert_eq!((trace.len(), trace.distinct_keys(), trace.duration_s()), (4, 3, 2.0));
    let found: Vec<(f64, Kind, u64, u32)> = trace
        .timed(Pace::Recorded { speedup: 2.0 })
        .unwrap()
        .map(|timed| (timed.due_s, timed.request.kind, timed.request.key, timed.request.value_bytes))
        .collect();
    let expected = [
        (0.0, Kind::Read, 1, 100),
        (0.25, Kind::Write, 0, 7),
        (0.25, Kind::Read, 2, 0),
        (1.0, Kind::Read, 1, 300),
    ];
    assert_eq!(found, expected);
    let due: Vec<f64> =
        trace.timed(Pace::Even { rate_per_s: 4.0 }).unwrap().map(|timed| timed.due_s).collect();
    assert_eq!(due, [0.0, 0.25, 0.5, 0.75]);
}

#[test]
fn a_replay_cycles_and_knows_its_sizes() {
    let trace = plain(SMALL).unwrap();
    let mut load = trace.workload(Pace::Even { rate_per_s: 1.0 }).unwrap();
    let mut rng = crate::rng(1, 0);
    let keys: Vec<u64> = (0..6).map(|_| load.next(0.0, &mut rng).key).collect();
    assert_eq!(keys, [1, 0, 2, 1, 1, 0]);
    assert_eq!(load.key_space(), 3);
    assert_eq!([0, 1, 2, 3].map(|key| load.value_bytes(key)), [7, 200, 0, 0]);
    assert_eq!(load.bytes_between(0, 2), 207);
    assert_eq!(load.bytes_between(1, u64::MAX), 200);
    assert_eq!(load.bytes_between(2, 1), 0);
    assert_eq!((load.epoch(5.0), load.intensity(5.0)), (0, 1.0));
}

#[test]
fn the_intensity_follows_the_recording() {
    // Ten seconds with one request each, then ten with three.
    let mut text = "time_s,key,size,op\n".to_string();
    for second in 0..=20 {
        text += &format!("{second},1,1,get\n").repeat(if second < 10 { 1 } else { 3 });
    }
    let load = plain(&text).unwrap().workload(Pace::Recorded { speedup: 2.0 }).unwrap();
    assert!((load.intensity(7.0) / load.intensity(2.0) - 3.0).abs() < 1e-6);
    assert_eq!(load.intensity(12.0), load.intensity(2.0), "the second round is like the first");
    let mean = (0..20).map(|i| load.intensity(f64::from(i) / 2.0)).sum::<f64>() / 20.0;
    assert!((mean - 1.0).abs() < 1e-6, "{mean}");
}

#[test]
fn all_packings_give_the_same_trace() {
    let text = long_text();
    let expected = plain(&text).unwrap();
    assert_eq!((expected.len(), expected.distinct_keys()), (20_000, 4001));
    let (gz, zst) = (gzip(text.as_bytes()), zstd(text.as_bytes()));
    for (bytes, compression) in [(&gz, Compression::Gzip), (&zst, Compression::Zstd)] {
        assert!(bytes.len() < text.len());
        let found = Trace::read(bytes.as_slice(), compression).unwrap();
        assert_eq!(found.rows, expected.rows, "{compression}");
    }
}

#[test]
fn several_members_or_frames_are_one_trace() {
    let (head, tail) = SMALL.split_at(30);
    // A skippable frame between the two: its magic number, a length of 3, three bytes.
    let note = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, b'a', b'b', b'c'];
    let zst = [zstd(head.as_bytes()), note.to_vec(), zstd(tail.as_bytes())].concat();
    let gz = [gzip(head.as_bytes()), gzip(tail.as_bytes())].concat();
    let expected = plain(SMALL).unwrap();
    assert_eq!(Trace::read(zst.as_slice(), Compression::Zstd).unwrap().rows, expected.rows);
    assert_eq!(Trace::read(gz.as_slice(), Compression::Gzip).unwrap().rows, expected.rows);
}

#[test]
fn line_ends_of_windows_and_a_missing_last_one_are_fine() {
    let expected = plain(SMALL).unwrap();
    assert_eq!(plain(&SMALL.replace('\n', "\r\n")).unwrap().rows, expected.rows);
    assert_eq!(plain(SMALL.trim_end()).unwrap().rows, expected.rows);
}

#[test]
fn messages_name_the_line_what_was_found_and_what_was_expected() {
    let row = |row: &str| message(format!("time_s,key,size,op\n0,a,1,get\n{row}\n").as_bytes());
    assert_eq!(row("1,a,-5,get"), "line 3: size is `-5`: expected whole bytes, 0 to 4294967295");
    assert_eq!(
        row("1,a,4294967296,get"),
        "line 3: size is `4294967296`: expected whole bytes, 0 to 4294967295"
    );
    assert_eq!(row("NaN,a,5,get"), "line 3: time_s is `NaN`: expected seconds, 0 or more");
    assert_eq!(row("inf,a,5,get"), "line 3: time_s is `inf`: expected seconds, 0 or more");
    assert_eq!(row("-1,a,5,get"), "line 3: time_s is `-1`: expected seconds, 0 or more");
    assert_eq!(row("1,,5,get"), "line 3: key is ``: expected a number or text in UTF-8");
    assert_eq!(row("1,a,5,delete"), "line 3: op is `delete`: expected `get` or `set`");
    assert_eq!(row("1,a,5"), "line 3 has 3 columns: expected 4, as in `time_s,key,size,op`");
    assert_eq!(row("1,a,b,5,get"), "line 3 has 5 columns: expected 4, as in `time_s,key,size,op`");
    assert_eq!(
        row("2,a,5,get\n1,a,5,get"),
        "line 4: time_s is 1, after 2 on the row before: sort the rows by time"
    );
    let bad_key = b"time_s,key,size,op\n0,\xff\xfe,1,get\n";
    assert_eq!(message(bad_key), "line 2: key is `\u{fffd}\u{fffd}`: expected a number or text in UTF-8");
}

#[test]
fn the_header_must_be_there_and_exact() {
    assert_eq!(message(b""), "the trace is empty: expected a first line `time_s,key,size,op`");
    let expected = "the trace has a header and no requests: expected at least one line after the header";
    assert_eq!(message(b"time_s,key,size,op\n"), expected);
    for header in ["key,time_s,size,op", "time_s,key,size,op,ttl", "time_s, key, size, op", "0,1,2,get"] {
        let found = message(format!("{header}\n0,1,2,get\n").as_bytes());
        assert!(found.starts_with(&format!("line 1 is `{header}`: expected the header")), "{found}");
    }
    let gz_read_as_text = message(&gzip(SMALL.as_bytes()));
    assert!(gz_read_as_text.starts_with("line 1 is `\\u{1f}"), "{gz_read_as_text}");
}

#[test]
fn a_trace_cut_anywhere_is_an_error() {
    let text = long_text();
    for (bytes, compression) in
        [(gzip(text.as_bytes()), Compression::Gzip), (zstd(text.as_bytes()), Compression::Zstd)]
    {
        for kept in (1..bytes.len()).step_by(bytes.len() / 60).chain([bytes.len() - 1]) {
            let error = Trace::read(&bytes[..kept], compression).err();
            let error =
                error.unwrap_or_else(|| panic!("{compression} cut to {kept} bytes was read as whole"));
            assert!(matches!(error, TraceError::Unreadable { .. }), "{compression} cut to {kept}: {error}");
        }
    }
    let error = Trace::read(&gzip(text.as_bytes())[..5000], Compression::Gzip).err().unwrap().to_string();
    assert!(error.starts_with("the trace breaks off after line "), "{error}");
    assert!(error.ends_with("(read as gzip): is the file whole?"), "{error}");
}

#[test]
fn broken_bytes_never_panic() {
    use rand::Rng as _;
    let mut rng = crate::rng(5, 0);
    let text = &long_text()[..20_000];
    for (bytes, compression) in [
        (text.as_bytes().to_vec(), Compression::Plain),
        (gzip(text.as_bytes()), Compression::Gzip),
        (zstd(text.as_bytes()), Compression::Zstd),
    ] {
        for _ in 0..300 {
            let mut broken = bytes.clone();
            for _ in 0..1 + rng.next_u64() % 8 {
                let at = (rng.next_u64() % broken.len() as u64) as usize;
                broken[at] = rng.next_u64() as u8;
            }
            let _ = Trace::read(broken.as_slice(), compression);
        }
        let noise: Vec<u8> = (0..5000).map(|_| rng.next_u64() as u8).collect();
        assert!(Trace::read(noise.as_slice(), compression).is_err());
    }
}

#[test]
fn an_endless_line_is_refused_before_it_fills_the_memory() {
    let endless = std::io::repeat(b'a');
    let error = Trace::read(endless, Compression::Plain).err().unwrap().to_string();
    assert!(error.contains("a line is longer than 4096 bytes"), "{error}");
    let quoted = format!("time_s,key,size,op\n0,\"a,1,get\n{}", "1,b,1,get\n".repeat(3));
    assert_eq!(plain(&quoted).unwrap().len(), 4, "a stray quote is part of its key and ends there");
}

#[test]
fn impossible_paces_are_refused() {
    let trace = plain(SMALL).unwrap();
    let error = trace.workload(Pace::Recorded { speedup: 0.0 }).unwrap_err();
    assert_eq!(error.to_string(), "speedup is 0: expected a positive number");
    assert!(trace.workload(Pace::Even { rate_per_s: f64::NAN }).is_err());
    assert!(trace.timed(Pace::Even { rate_per_s: -1.0 }).is_err());
}

#[test]
fn the_name_of_a_file_tells_its_packing() {
    assert_eq!(Compression::of_name("a.csv"), Compression::Plain);
    assert_eq!(Compression::of_name("a.csv.gz"), Compression::Gzip);
    assert_eq!(Compression::of_name("dir.gz/a.zst"), Compression::Zstd);
    assert_eq!(Compression::of_name("gz"), Compression::Plain);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the shared traces are files; the crate itself takes readers")]
fn shared_traces_have_the_counts_of_their_readme() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/traces");
    for (name, requests, keys, duration_s) in [
        ("twitter_cluster52_head.csv.zst", 3_000_000, 341_728, 1552.0),
        ("cran_downloads_2012-12.csv", 62_400, 16_927, 259_193.0),
        ("scarab_recs.csv.zst", 1_245_184, 258_368, 1_245_183.0),
        ("cloudphysics_block.csv.zst", 113_872, 48_974, 7200.0),
    ] {
        let Ok(file) = std::fs::File::open(format!("{folder}/{name}")) else {
            eprintln!("skipped: {name} is not in {folder}");
            continue;
        };
        let trace = Trace::read(file, Compression::of_name(name)).unwrap();
        assert_eq!((trace.len(), trace.distinct_keys()), (requests, keys), "{name}");
        assert!((trace.duration_s() - duration_s).abs() <= 1.0, "{name}: {} s", trace.duration_s());
    }
}

//! How long `stop` takes to bring the answer: median and worst of 200 at one thread.
//!
//! `cargo bench --bench stop`. Half of the stops come after a few milliseconds, half after
//! a time that is different each time, in positions of the bench.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use vermilion::search::{Event, EventSink, Job, Limits, Pool, SearchOptions};
use vermilion::tools::bench::positions;

const STOPS: usize = 200;

/// Sends the time of the answer.
struct Answered(Mutex<Sender<Instant>>);

impl EventSink for Answered {
    fn emit(&self, event: &Event) {
        if matches!(event, Event::BestMove { .. }) {
            let sender = self.0.lock().expect("nothing panics here");
            sender.send(Instant::now()).expect("the bench listens");
        }
    }
}

fn main() {
    let mut pool = Pool::new();
    let mut delays: Vec<Duration> = positions()
        .cycle()
        .take(STOPS)
        .enumerate()
        .map(|(index, position)| {
            let (sender, receiver) = channel();
            pool.start(Job {
                position,
                limits: Limits {
                    infinite: true,
                    ..Limits::default()
                },
                options: SearchOptions::default(),
                sink: Arc::new(Answered(Mutex::new(sender))),
            });
            let wait = if index % 2 == 0 {
                5
            } else {
                10 + index as u64 % 90
            };
            std::thread::sleep(Duration::from_millis(wait));
            let stopped = Instant::now();
            pool.stop();
            let answered = receiver.recv().expect("every search answers");
            answered.saturating_duration_since(stopped)
        })
        .collect();
    delays.sort();
    println!(
        "stop to bestmove, {STOPS} stops: median {:.3} ms, worst {:.3} ms",
        delays[STOPS / 2].as_secs_f64() * 1e3,
        delays[STOPS - 1].as_secs_f64() * 1e3,
    );
}

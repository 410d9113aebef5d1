//! A plot of a two-engine match as SVG: Elo with its 95 % interval and LLR over the games.

use std::fmt::Write;

use super::tally::{Point, SprtReport};

const WIDTH: f64 = 900.0;
const PANEL: f64 = 300.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const GAP: f64 = 60.0;
/// More points than this are thinned out: the plot has fewer pixels.
const MAX_POINTS: usize = 1500;

/// One panel: a range of values over a range of games.
struct Panel {
    top: f64,
    games: f64,
    low: f64,
    high: f64,
}

impl Panel {
    fn new(top: f64, games: u64, values: impl Iterator<Item = f64>) -> Self {
        let (mut low, mut high) = (0.0f64, 0.0f64);
        for value in values {
            low = low.min(value);
            high = high.max(value);
        }
        let room = 0.05 * (high - low).max(1.0);
        Self {
            top,
            games: games.max(1) as f64,
            low: low - room,
            high: high + room,
        }
    }

    fn x(&self, games: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * games / self.games
    }

    fn y(&self, value: f64) -> f64 {
        let value = value.clamp(self.low, self.high);
        self.top + PANEL * (self.high - value) / (self.high - self.low)
    }

    fn path(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        for (games, value) in points {
            // Writing to a string cannot fail.
            let _ = write!(path, "{:.1},{:.1} ", self.x(games), self.y(value));
        }
        path
    }

    /// Frame, grid and numbers.
    fn frame(&self, svg: &mut String, title: &str) {
        let right = WIDTH - RIGHT;
        let _ = writeln!(
            svg,
            "<text x=\"{LEFT}\" y=\"{}\" font-size=\"14\">{title}</text>",
            self.top - 8.0
        );
        for value in ticks(self.low, self.high) {
            let y = self.y(value);
            let stroke = if value == 0.0 { "#888" } else { "#ddd" };
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT},{y:.1}H{right}\" stroke=\"{stroke}\"/>\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
                LEFT - 6.0,
                y + 4.0
            );
        }
        for games in ticks(0.0, self.games) {
            let x = self.x(games);
            let _ = writeln!(
                svg,
                "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{games}</text>",
                self.top + PANEL + 16.0
            );
        }
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{}\" width=\"{}\" height=\"{PANEL}\" fill=\"none\" stroke=\"#444\"/>",
            self.top,
            right - LEFT
        );
    }
}

/// Round numbers within a range, about six of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 6.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|factor| factor * power)
        .into_iter()
        .find(|&step| step >= rough)
        .unwrap_or(10.0 * power);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    // Rounded, so that 0.1 + 0.2 is written as 0.3.
    let round = |value: f64| (value * 1e6).round() / 1e6;
    (first..=last).map(|k| round(k as f64 * step)).collect()
}

/// The plot.
pub fn svg(title: &str, points: &[Point], sprt: Option<SprtReport>) -> String {
    let stride = points.len().div_ceil(MAX_POINTS).max(1);
    let last = points.len().saturating_sub(1);
    let points: Vec<Point> = points
        .iter()
        .enumerate()
        .filter(|(index, _)| index % stride == 0 || *index == last)
        .map(|(_, point)| *point)
        .collect();
    let height = TOP + PANEL + GAP + if sprt.is_some() { PANEL + GAP } else { 0.0 };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    elo_panel(&mut svg, title, &points);
    if let Some(sprt) = sprt {
        llr_panel(&mut svg, &points, &sprt);
    }
    svg.push_str("</svg>\n");
    svg
}

fn elo_panel(svg: &mut String, title: &str, points: &[Point]) {
    let games = points.last().map_or(1, |point| point.games);
    // The first games' intervals are so wide that nothing else would be seen.
    let settled = |point: &&Point| 10 * point.games >= games;
    let ends = |point: &Point| {
        let figures = point.figures;
        [figures.elo_low, figures.elo, figures.elo_high]
    };
    let values = points.iter().filter(settled).flat_map(ends).flatten();
    let panel = Panel::new(TOP, games, values);
    let (low, high) = (panel.low, panel.high);
    let edge = |end: fn(&Point) -> Option<f64>, none: f64| {
        points
            .iter()
            .map(move |point| (point.games as f64, end(point).unwrap_or(none)))
    };
    let upper = edge(|point| point.figures.elo_high, high);
    let lower = edge(|point| point.figures.elo_low, low);
    let band = panel.path(upper.chain(lower.rev()));
    let line = panel.path(points.iter().filter_map(|point| {
        let elo = point.figures.elo?;
        Some((point.games as f64, elo))
    }));
    let _ = writeln!(svg, "<polygon points=\"{band}\" fill=\"#c9daf3\"/>");
    let title = format!(
        "{}: Elo and its 95 % interval over the games",
        escape(title)
    );
    panel.frame(svg, &title);
    let _ = writeln!(
        svg,
        "<polyline points=\"{line}\" fill=\"none\" stroke=\"#1f4e9c\" stroke-width=\"1.5\"/>"
    );
}

fn llr_panel(svg: &mut String, points: &[Point], sprt: &SprtReport) {
    let games = points.last().map_or(1, |point| point.games);
    let llrs = points.iter().filter_map(|point| point.llr);
    let values = llrs.chain([sprt.lower, sprt.upper]);
    let panel = Panel::new(TOP + PANEL + GAP, games, values);
    panel.frame(
        svg,
        &format!("LLR of [{}, {}] with its bounds", sprt.elo0, sprt.elo1),
    );
    for (bound, colour) in [(sprt.upper, "#2a8a3a"), (sprt.lower, "#b03030")] {
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT},{:.1}H{}\" stroke=\"{colour}\" stroke-dasharray=\"6 4\"/>",
            panel.y(bound),
            WIDTH - RIGHT
        );
    }
    let line = panel.path(points.iter().filter_map(|point| {
        let llr = point.llr?;
        Some((point.games as f64, llr))
    }));
    let _ = writeln!(
        svg,
        "<polyline points=\"{line}\" fill=\"none\" stroke=\"#333\" stroke-width=\"1.5\"/>"
    );
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(ticks(0.0, 60.0), [0.0, 10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
        assert_eq!(ticks(-0.05, 0.5), [0.0, 0.1, 0.2, 0.3, 0.4, 0.5]);
        for (low, high) in [(-3.1, 3.2), (0.0, 1.0), (-900.0, 120.0), (0.0, 31_234.0)] {
            let ticks = ticks(low, high);
            assert!((3..=8).contains(&ticks.len()), "{ticks:?}");
            assert!(
                ticks.iter().all(|&tick| tick >= low && tick <= high),
                "{ticks:?}"
            );
        }
    }
}

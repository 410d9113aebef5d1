//! The losses of the epochs as SVG.

use std::fmt::Write;

use super::checkpoint::Epoch;

const WIDTH: f64 = 900.0;
const PANEL: f64 = 220.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const GAP: f64 = 60.0;

/// Three panels, one below the other: the loss while training, and on the validation games
/// the squared error of the score and the cross entropy of the result.
pub(super) fn svg(curve: &[Epoch]) -> String {
    let values = |value: fn(&Epoch) -> f64| -> Vec<f64> { curve.iter().map(value).collect() };
    let panels = [
        ("training loss", values(|epoch| epoch.loss)),
        (
            "validation: squared error of the score",
            values(|epoch| epoch.score),
        ),
        (
            "validation: cross entropy of the result",
            values(|epoch| epoch.result),
        ),
    ];
    let height = TOP + panels.len() as f64 * (PANEL + GAP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (index, (title, values)) in panels.iter().enumerate() {
        panel(&mut svg, TOP + index as f64 * (PANEL + GAP), title, values);
    }
    svg.push_str("</svg>\n");
    svg
}

fn panel(svg: &mut String, top: f64, title: &str, values: &[f64]) {
    let first = values.first().copied().unwrap_or_default();
    let low = values.iter().copied().fold(first, f64::min);
    let high = values.iter().copied().fold(first, f64::max);
    let range = (high - low).max(1e-9);
    let width = WIDTH - LEFT - RIGHT;
    let last = values.len().saturating_sub(1).max(1) as f64;
    let points: String = values
        .iter()
        .enumerate()
        .map(|(index, value)| {
            let x = LEFT + width * index as f64 / last;
            let y = top + PANEL * (high - value) / range;
            format!("{x:.1},{y:.1} ")
        })
        .collect();
    let (middle, bottom) = (LEFT + width / 2.0, top + PANEL);
    // Writing to a string cannot fail.
    let _ = writeln!(
        svg,
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">{title}</text>\n\
         <rect x=\"{LEFT}\" y=\"{top}\" width=\"{width}\" height=\"{PANEL}\" fill=\"none\" stroke=\"#999\"/>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{high:.5}</text>\n\
         <text x=\"{}\" y=\"{bottom}\" text-anchor=\"end\">{low:.5}</text>\n\
         <text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">epochs 1 to {}</text>\n\
         <polyline points=\"{}\" fill=\"none\" stroke=\"#c33\" stroke-width=\"2\"/>",
        top - 8.0,
        LEFT - 6.0,
        top + 12.0,
        LEFT - 6.0,
        bottom + 18.0,
        values.len(),
        points.trim_end(),
    );
}

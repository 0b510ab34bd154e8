//! The samples as a drawing: panels one below the other over the same time, in SVG of polylines and words.

use std::fmt::Write;

use crate::ledger::Group;
use crate::samples::{Sample, Samples};
use crate::swaps::Swaps;

const WIDTH: f64 = 1000.0;
const PANEL_HEIGHT: f64 = 190.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 34.0;
const BOTTOM: f64 = 18.0;

/// Colours that also those can tell apart who see few of them (Okabe and Ito).
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

/// A line of a panel.
struct Line {
    name: String,
    /// Seconds and values.
    points: Vec<(f64, f64)>,
}

/// Lines with one scale.
struct Panel {
    title: &'static str,
    logarithmic: bool,
    lines: Vec<Line>,
}

/// Draws samples, and swaps as thin lines across.
pub fn of_samples(samples: &Samples, swaps: &Swaps) -> String {
    let line = |name: &str, value: &dyn Fn(&Sample) -> Option<f64>| Line {
        name: name.to_owned(),
        points: samples
            .0
            .iter()
            .filter_map(|sample| Some((sample.seconds, value(sample)?)))
            .collect(),
    };
    let latencies = Group::ALL.map(|group| line(group.name(), &|sample| sample.slow.get(&group).copied()));
    let panels = [
        Panel {
            title: "Memory, MiB",
            logarithmic: false,
            lines: vec![
                line("host, private", &|sample| Some(sample.host.private_mib)),
                line("host, Pss", &|sample| Some(sample.host.pss_mib)),
                line("language engine, private", &|sample| {
                    sample.engine.map(|look| look.private_mib)
                }),
                line("sandboxes, given", &|sample| sample.in_use.map(|now| now.sandbox_mib)),
            ],
        },
        Panel {
            title: "Descriptors and threads",
            logarithmic: false,
            lines: vec![
                line("descriptors", &|sample| Some(sample.host.descriptors)),
                line("threads", &|sample| Some(sample.host.threads)),
                line("connections", &|sample| sample.in_use.map(|now| now.connections)),
            ],
        },
        Panel {
            title: "In use",
            logarithmic: false,
            lines: vec![
                line("requests that run", &|sample| sample.in_use.map(|now| now.requests)),
                line("streams that run", &|sample| sample.in_use.map(|now| now.streams)),
                line("requests that wait", &|sample| sample.in_use.map(|now| now.waiting)),
                line("sandboxes", &|sample| sample.in_use.map(|now| now.sandboxes)),
            ],
        },
        Panel {
            title: "Fuel, 10⁹ a second",
            logarithmic: false,
            lines: vec![fuel(samples)],
        },
        Panel {
            title: "95th percentile of latency, ms",
            logarithmic: true,
            lines: latencies.into(),
        },
    ];
    let marks: Vec<f64> = swaps.0.iter().map(|swap| swap.seconds).collect();
    let seconds = samples.0.last().map_or(1.0, |sample| sample.seconds.max(1.0));
    svg(&panels, &marks, seconds)
}

/// What requests that ended used between two samples.
fn fuel(samples: &Samples) -> Line {
    let points = samples.0.windows(2).filter_map(|pair| {
        let used = pair[1].in_use?.fuel - pair[0].in_use?.fuel;
        Some((pair[1].seconds, used / (pair[1].seconds - pair[0].seconds) / 1e9))
    });
    Line {
        name: "all requests".to_owned(),
        points: points.collect(),
    }
}

fn svg(panels: &[Panel], marks: &[f64], seconds: f64) -> String {
    let height = PANEL_HEIGHT * panels.len() as f64 + 20.0;
    let mut drawing = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for (index, panel) in panels.iter().enumerate() {
        draw(&mut drawing, panel, marks, seconds, PANEL_HEIGHT * index as f64);
    }
    for tick in 0..=6 {
        let minutes = seconds / 60.0 * f64::from(tick) / 6.0;
        let x = LEFT + (WIDTH - LEFT - RIGHT) * f64::from(tick) / 6.0;
        let y = height - 8.0;
        // Writing to a string does not fail.
        let _ = writeln!(
            drawing,
            "<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\">{minutes:.1} min</text>"
        );
    }
    drawing + "</svg>\n"
}

fn draw(drawing: &mut String, panel: &Panel, marks: &[f64], seconds: f64, top: f64) {
    let scaled = |value: f64| match panel.logarithmic {
        true => value.max(0.1).log10(),
        false => value,
    };
    let values = panel.lines.iter().flat_map(|line| &line.points);
    let most = values
        .map(|(_, value)| scaled(*value))
        .fold(f64::NEG_INFINITY, f64::max);
    let (low, high) = match panel.logarithmic {
        true => (-1.0, most.max(0.0).ceil()),
        false => (0.0, round_up(most)),
    };
    let x = |second: f64| LEFT + (WIDTH - LEFT - RIGHT) * second / seconds;
    let y = |value: f64| {
        let part = (scaled(value) - low) / (high - low);
        top + PANEL_HEIGHT - BOTTOM - (PANEL_HEIGHT - TOP - BOTTOM) * part
    };
    let (left, right) = (x(0.0), x(seconds));
    let _ = writeln!(
        drawing,
        "<text x=\"{left}\" y=\"{:.1}\" font-size=\"13\" font-weight=\"bold\">{}</text>",
        top + TOP - 12.0,
        panel.title
    );
    let ticks: Vec<f64> = match panel.logarithmic {
        true => (low as i32..=high as i32).map(|power| 10_f64.powi(power)).collect(),
        false => (0..=4).map(|tick| high * f64::from(tick) / 4.0).collect(),
    };
    for tick in ticks {
        let at = y(tick);
        let _ = writeln!(
            drawing,
            "<line x1=\"{left}\" x2=\"{right}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 6.0,
            at + 4.0,
            number(tick)
        );
    }
    for mark in marks {
        let at = x(mark.min(seconds));
        let _ = writeln!(
            drawing,
            "<line x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" stroke=\"#bbb\" stroke-dasharray=\"2 3\"/>",
            top + TOP,
            top + PANEL_HEIGHT - BOTTOM
        );
    }
    for (index, line) in panel.lines.iter().enumerate() {
        let colour = COLOURS[index % COLOURS.len()];
        let points: String = line
            .points
            .iter()
            .map(|(second, value)| format!("{:.1},{:.1} ", x(*second), y(*value)))
            .collect();
        let _ = writeln!(
            drawing,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.3\"/>\
             <text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
            points.trim_end(),
            right + 8.0,
            top + TOP + 12.0 + 15.0 * index as f64,
            line.name
        );
    }
}

/// The next round number from a value on: 1, 2, 4, 6 or 8 and zeros.
fn round_up(value: f64) -> f64 {
    if !value.is_finite() || value <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0];
    let step = steps.iter().find(|step| value <= **step * power).unwrap_or(&10.0);
    step * power
}

fn number(value: f64) -> String {
    match value {
        value if value >= 10.0 || value == value.trunc() => format!("{value:.0}"),
        value if value >= 0.1 => format!("{value:.1}"),
        value => format!("{value:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_end_with_round_numbers() {
        for (value, round) in [(0.0, 1.0), (7.0, 8.0), (31.0, 40.0), (400.0, 400.0), (0.03, 0.04)] {
            assert!((round_up(value) - round).abs() < 1e-9, "{value}");
        }
        assert!((round_up(f64::NEG_INFINITY) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn lines_stay_inside_their_panel() {
        let line = |points: &[(f64, f64)]| Line {
            name: "a".to_owned(),
            points: points.to_vec(),
        };
        let panels = [false, true].map(|logarithmic| Panel {
            title: "t",
            logarithmic,
            lines: vec![line(&[(0.0, 0.0), (5.0, 12.0), (10.0, 300.0)]), line(&[])],
        });
        let drawn = svg(&panels, &[5.0], 10.0);
        assert_eq!(drawn.matches("<polyline").count(), 4);
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
        let first = drawn.split("points=\"").nth(1).and_then(|rest| rest.split('"').next());
        assert_eq!(first, Some("70.0,172.0 440.0,167.9 810.0,68.5"));
    }
}

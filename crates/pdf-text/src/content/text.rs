//! Text operators (ISO 32000-2, 9): state, position and showing.

use std::rc::Rc;

use compact_str::CompactString;
use hayro_font::kurbo::{Affine, Point, Vec2};
use hayro_syntax::content::ops::TypedInstruction;
use hayro_syntax::object::{Dict, Object};
use hayro_syntax::page::Resources;

use super::Interpreter;
use crate::font::Font;
use crate::page_content::Glyph;
use crate::state::State;

impl<'a> Interpreter<'_, 'a> {
    /// Executes a text operator; returns false if it is another operator.
    pub(super) fn text_operator(&mut self, operator: &TypedInstruction<'_, '_>, resources: &Resources<'a>) -> bool {
        use TypedInstruction as Op;
        match operator {
            Op::BeginText(_) => (self.text_matrix, self.line_matrix) = (Affine::IDENTITY, Affine::IDENTITY),
            Op::EndText(_) => {}
            Op::SetTextMatrix(m) => {
                let matrix = [&m.0, &m.1, &m.2, &m.3, &m.4, &m.5].map(|number| number.as_f64());
                (self.text_matrix, self.line_matrix) = (Affine::new(matrix), Affine::new(matrix));
            }
            Op::NextLine(n) => self.next_line(n.0.as_f64(), n.1.as_f64()),
            Op::NextLineAndSetLeading(n) => {
                self.state.leading = -n.1.as_f64();
                self.next_line(n.0.as_f64(), n.1.as_f64());
            }
            Op::NextLineUsingLeading(_) => self.next_line(0.0, -self.state.leading),
            Op::CharacterSpacing(n) => self.state.character_space = n.0.as_f64(),
            Op::WordSpacing(n) => self.state.word_space = n.0.as_f64(),
            Op::HorizontalScaling(n) => self.state.stretch = n.0.as_f64() / 100.0,
            Op::TextLeading(n) => self.state.leading = n.0.as_f64(),
            Op::TextRise(n) => self.state.rise = n.0.as_f64(),
            // Text that leaves no mark is read as any other: it lies under scans.
            Op::TextRenderingMode(_) => {}
            Op::TextFont(font) => {
                self.state.size = font.1.as_f64();
                let dict = resources.get_font(font.0);
                self.state.font = match dict {
                    Some(dict) => self.font(&dict),
                    None => self.context.fonts.plain(),
                };
            }
            Op::ShowText(text) => self.show(text.0.as_bytes()),
            Op::NextLineAndShowText(text) => {
                self.next_line(0.0, -self.state.leading);
                self.show(text.0.as_bytes());
            }
            Op::ShowTextWithParameters(text) => {
                self.state.word_space = text.0.as_f64();
                self.state.character_space = text.1.as_f64();
                self.next_line(0.0, -self.state.leading);
                self.show(text.2.as_bytes());
            }
            Op::ShowTexts(texts) => {
                for part in texts.0.iter::<Object<'_>>() {
                    match part {
                        Object::Number(number) => self.adjust(number.as_f64()),
                        Object::String(text) => self.show(text.as_bytes()),
                        _ => {}
                    }
                }
            }
            _ => return false,
        }
        true
    }

    pub(super) fn font(&mut self, dict: &Dict<'a>) -> Option<Rc<Font<'a>>> {
        let font = self.context.fonts.font(dict);
        if font.is_none() {
            self.warn("A font could not be read; its text is missing or read as plain Latin letters.");
            return self.context.fonts.plain();
        }
        font
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.line_matrix *= Affine::translate((x, y));
        self.text_matrix = self.line_matrix;
    }

    fn adjust(&mut self, thousandths: f64) {
        let Some(font) = &self.state.font else { return };
        let distance = -thousandths / 1000.0 * self.state.size;
        let shift = if font.is_horizontal() {
            (distance * self.state.stretch, 0.0)
        } else {
            (0.0, distance)
        };
        self.text_matrix *= Affine::translate(shift);
    }

    fn show(&mut self, bytes: &[u8]) {
        if self.state.font.is_none() {
            self.state.font = self.context.fonts.plain();
        }
        let Some(font) = self.state.font.clone() else { return };
        let horizontal = font.is_horizontal();
        let visible = self.is_visible();
        let State {
            size,
            stretch,
            rise,
            character_space,
            word_space,
            ..
        } = self.state;
        let mut at = 0;
        while at < bytes.len() {
            let (number, length) = font.next_code(bytes, at);
            at += length;
            let code = font.code(number);
            let extra = character_space + if number == 32 && length == 1 { word_space } else { 0.0 };
            let step = if horizontal {
                (((code.advance.0 / 1000.0).mul_add(size, extra)) * stretch, 0.0)
            } else {
                (0.0, (code.advance.1 / 1000.0).mul_add(size, extra))
            };
            let matrix = self.state.matrix * self.text_matrix;
            self.text_matrix *= Affine::translate(step);
            if visible {
                let (dx, dy) = code.displacement;
                let origin = (dx / 1000.0 * size * stretch, (dy / 1000.0).mul_add(size, rise));
                self.place(&font, code.text.clone(), matrix, origin, step);
            }
        }
    }

    fn place(
        &mut self,
        font: &Font<'a>,
        text: Option<CompactString>,
        matrix: Affine,
        origin: (f64, f64),
        step: (f64, f64),
    ) {
        let State { size, stretch, .. } = self.state;
        let linear = |x: f64, y: f64| {
            let c = matrix.as_coeffs();
            Vec2::new(c[0] * x + c[2] * y, c[1] * x + c[3] * y)
        };
        let horizontal = font.is_horizontal();
        // In vertical writing lines run down the glyph, and the places on the baseline are the middles of the glyphs.
        let (origin, along) = if horizontal {
            (origin, linear(size * stretch, 0.0))
        } else {
            ((0.0, self.state.rise), linear(0.0, -size))
        };
        let start = matrix * Point::new(origin.0, origin.1);
        let shift = linear(step.0, step.1);
        let height = linear(0.0, size).hypot() * font.scale;
        let values = [start.x, start.y, shift.x, shift.y, height];
        if !values.iter().all(|value| value.is_finite() && value.abs() < 1e7) || height < 0.05 {
            return;
        }
        let visible = &self.page_area;
        if start.x < visible.x0 || start.x > visible.x1 || start.y < visible.y0 || start.y > visible.y1 + height {
            return;
        }
        if text.is_none() {
            self.page.unknown += 1;
        }
        let degrees = along.y.atan2(along.x).to_degrees();
        self.page.glyphs.push(Glyph {
            text: text.unwrap_or_default(),
            start: (start.x, start.y),
            end: (start.x + shift.x, start.y + shift.y),
            size: height,
            direction: direction(degrees),
            bold: font.bold,
            fixed: font.fixed,
        });
    }
}

/// Rounds a direction to whole degrees; directions nearly along an axis become that of the axis.
fn direction(degrees: f64) -> i16 {
    let near = (degrees / 90.0).round() * 90.0;
    let rounded = if (degrees - near).abs() < 8.0 {
        near
    } else {
        (degrees / 5.0).round() * 5.0
    };
    #[expect(clippy::cast_possible_truncation, reason = "between -180 and 180")]
    let whole = rounded as i16;
    whole.rem_euclid(360)
}

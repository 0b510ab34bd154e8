//! Names and shares of the colours of a picture, and its light.

use crate::picture::Picture;

/// Most pixels that are sampled: more change nothing.
const MAX_SAMPLED_PIXELS: usize = 250_000;
/// Least share of a colour that is listed.
const MIN_COLOUR_SHARE: f32 = 0.04;
/// Most colours that are listed.
const MAX_COLOURS: usize = 5;
/// Classes of colours: four bits a channel.
const COLOUR_CLASSES: usize = 4096;
/// Difference of channels above which a pixel is not grey.
const MAX_GREY_SPREAD: u8 = 12;
/// Share of pixels that are not grey, below which a picture is greyscale.
const MAX_GREYSCALE_COLOUR_SHARE: f32 = 0.01;

/// Colour with its share of the picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Share {
    /// Its name.
    pub name: &'static str,
    /// Average of the pixels of this name: red, green, blue.
    pub average: [u8; 3],
    /// Share of the area, 0 to 1.
    pub share: f32,
}

/// Light of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Light {
    /// Average lightness, 0 to 1.
    pub brightness: f32,
    /// Difference between the 5th and the 95th percentile of lightness, 0 to 1.
    pub contrast: f32,
    /// True if there are no colours but greys.
    pub greyscale: bool,
}

/// Statistics of the colours of a picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Palette {
    /// Colours, the largest share first.
    pub colours: Vec<Share>,
    /// The light.
    pub light: Light,
    /// Share of the commonest colour of `COLOUR_CLASSES`: large in what was drawn, small in what was photographed.
    pub flatness: f32,
    /// Share of the `COLOUR_CLASSES` that occur.
    pub variety: f32,
}

/// Computes the statistics of a picture or a part of it.
pub fn palette(picture: &Picture) -> Palette {
    let step = (picture.width() * picture.height()).div_ceil(MAX_SAMPLED_PIXELS).max(1);
    let mut sums: Vec<(&'static str, [u64; 3], u64)> = Vec::new();
    let mut classes = vec![0u32; COLOUR_CLASSES];
    let mut lightness = [0u32; 256];
    let (mut coloured, mut all) = (0u64, 0u64);
    for pixel in picture.pixels().chunks_exact(3).step_by(step) {
        let rgb = [pixel[0], pixel[1], pixel[2]];
        let name = name(rgb);
        let index = match sums.iter().position(|(known, ..)| *known == name) {
            Some(index) => index,
            None => {
                sums.push((name, [0; 3], 0));
                sums.len() - 1
            }
        };
        for (sum, value) in sums[index].1.iter_mut().zip(rgb) {
            *sum += u64::from(value);
        }
        sums[index].2 += 1;
        let class = rgb.iter().fold(0, |class, value| class << 4 | usize::from(value >> 4));
        classes[class] += 1;
        lightness[usize::from(luma(rgb))] += 1;
        let (least, most) = (rgb.iter().min(), rgb.iter().max());
        coloured += u64::from(
            most.zip(least)
                .is_some_and(|(most, least)| most - least > MAX_GREY_SPREAD),
        );
        all += 1;
    }
    let share = |count: u64| count as f32 / all.max(1) as f32;
    sums.sort_by_key(|(.., count)| std::cmp::Reverse(*count));
    let colours = sums
        .iter()
        .map(|(name, sums, count)| Share {
            name,
            average: sums.map(|sum| (sum / count) as u8),
            share: share(*count),
        })
        .filter(|colour| colour.share >= MIN_COLOUR_SHARE)
        .take(MAX_COLOURS)
        .collect();
    let percentile = |percent: u64| {
        let mut sum = 0;
        let found = lightness.iter().position(|count| {
            sum += u64::from(*count);
            sum * 100 >= all * percent
        });
        found.unwrap_or(255) as f32 / 255.0
    };
    let total: u64 = lightness
        .iter()
        .zip(0u64..)
        .map(|(count, value)| u64::from(*count) * value)
        .sum();
    Palette {
        colours,
        light: Light {
            brightness: share(total) / 255.0,
            contrast: percentile(95) - percentile(5),
            greyscale: share(coloured) < MAX_GREYSCALE_COLOUR_SHARE,
        },
        flatness: share(u64::from(classes.iter().copied().max().unwrap_or(0))),
        variety: classes.iter().filter(|count| **count > 0).count() as f32 / COLOUR_CLASSES as f32,
    }
}

/// Shares of all colours of a picture, by name.
pub fn shares(picture: &Picture) -> Vec<(&'static str, f32)> {
    let step = (picture.width() * picture.height()).div_ceil(MAX_SAMPLED_PIXELS).max(1);
    let mut counts: Vec<(&'static str, u32)> = Vec::new();
    let mut all = 0u32;
    for pixel in picture.pixels().chunks_exact(3).step_by(step) {
        let name = name([pixel[0], pixel[1], pixel[2]]);
        match counts.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => counts.push((name, 1)),
        }
        all += 1;
    }
    counts
        .into_iter()
        .map(|(name, count)| (name, count as f32 / all.max(1) as f32))
        .collect()
}

fn luma([red, green, blue]: [u8; 3]) -> u8 {
    ((u32::from(red) * 299 + u32::from(green) * 587 + u32::from(blue) * 114) / 1000) as u8
}

/// Common name of a colour, by its hue, saturation and value.
pub fn name(rgb: [u8; 3]) -> &'static str {
    let [red, green, blue] = rgb.map(f32::from);
    let most = red.max(green).max(blue);
    let spread = most - red.min(green).min(blue);
    let value = most / 255.0;
    let saturation = if most > 0.0 { spread / most } else { 0.0 };
    if value < 0.16 {
        return "black";
    }
    // Faint colours are greys, and the lighter the fainter a colour may be and still be seen.
    if saturation < 0.13 || (value < 0.3 && saturation < 0.25) {
        return match value {
            v if v < 0.38 => "dark grey",
            v if v < 0.68 => "grey",
            v if v < 0.9 => "light grey",
            _ => "white",
        };
    }
    let hue = 60.0
        * match most {
            m if m == red => ((green - blue) / spread).rem_euclid(6.0),
            m if m == green => (blue - red) / spread + 2.0,
            _ => (red - green) / spread + 4.0,
        };
    let (dark, light) = (value < 0.55, saturation < 0.45 && value > 0.7);
    let pick = |plain, when_dark, when_light| match (dark, light) {
        (true, _) => when_dark,
        (_, true) => when_light,
        _ => plain,
    };
    match hue {
        h if !(14.0..345.0).contains(&h) => pick("red", "dark red", "pink"),
        h if h < 42.0 && value < 0.72 => pick("brown", "brown", "brown"),
        h if h < 42.0 => pick("orange", "brown", "beige"),
        h if h < 68.0 => pick("yellow", "olive", "beige"),
        h if h < 165.0 => pick("green", "dark green", "light green"),
        h if h < 195.0 => pick("turquoise", "dark turquoise", "light turquoise"),
        h if h < 258.0 => pick("blue", "dark blue", "light blue"),
        h if h < 295.0 => pick("purple", "dark purple", "light purple"),
        _ => pick("pink", "dark pink", "pink"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_called_what_people_call_them() {
        for (rgb, expected) in [
            ([255, 0, 0], "red"),
            ([0, 0, 0], "black"),
            ([255, 255, 255], "white"),
            ([128, 128, 128], "grey"),
            ([0, 0, 128], "dark blue"),
            ([135, 206, 235], "light blue"),
            ([255, 165, 0], "orange"),
            ([139, 69, 19], "brown"),
            ([255, 192, 203], "pink"),
            ([245, 222, 179], "beige"),
            ([40, 180, 40], "green"),
            ([0, 80, 0], "dark green"),
            ([255, 255, 0], "yellow"),
            ([160, 32, 240], "purple"),
        ] {
            let found = name(rgb);
            assert!(
                found == expected || found == format!("dark {expected}"),
                "{rgb:?}: {found}"
            );
        }
    }

    #[test]
    fn shares_light_and_flatness_are_those_of_the_area() {
        let mut pixels = [[255, 0, 0]; 300].concat();
        pixels.extend([[0, 0, 0]; 100].concat());
        let palette = palette(&Picture::new(20, 20, pixels).unwrap());
        assert_eq!((palette.colours[0].name, palette.colours[0].share), ("red", 0.75));
        assert_eq!(
            (palette.colours[1].name, palette.colours[1].average),
            ("black", [0, 0, 0])
        );
        assert!(!palette.light.greyscale && palette.flatness == 0.75);
        assert!((palette.light.brightness - 0.75 * 76.0 / 255.0).abs() < 0.01);
    }
}

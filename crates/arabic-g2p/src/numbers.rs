//! Numbers that text normalisation leaves in digits: 0 to 20, tens, hundreds, and a thousand.

const ONES: [&str; 20] = [
    "صِفْر",
    "وَاحِد",
    "اِثْنَان",
    "ثَلَاثَة",
    "أَرْبَعَة",
    "خَمْسَة",
    "سِتَّة",
    "سَبْعَة",
    "ثَمَانِيَة",
    "تِسْعَة",
    "عَشَرَة",
    "أَحَدَعَشَر",
    "اِثْنَاعَشَر",
    "ثَلَاثَةَعَشَر",
    "أَرْبَعَةَعَشَر",
    "خَمْسَةَعَشَر",
    "سِتَّةَعَشَر",
    "سَبْعَةَعَشَر",
    "ثَمَانِيَةَعَشَر",
    "تِسْعَةَعَشَر",
];
const TENS: [&str; 10] = [
    "",
    "عَشَرَة",
    "عِشْرُون",
    "ثَلَاثُون",
    "أَرْبَعُون",
    "خَمْسُون",
    "سِتُّون",
    "سَبْعُون",
    "ثَمَانُون",
    "تِسْعُون",
];
const HUNDREDS: [&str; 10] = [
    "",
    "مِئَة",
    "مِئَتَان",
    "ثَلَاثُمِئَة",
    "أَرْبَعُمِئَة",
    "خَمْسُمِئَة",
    "سِتُّمِئَة",
    "سَبْعُمِئَة",
    "ثَمَانُمِئَة",
    "تِسْعُمِئَة",
];
const THOUSAND: &str = "أَلْف";

/// A word as letters; none where it is something else.
pub fn word(written: &str) -> Option<&str> {
    if written.chars().any(crate::letters::is_letter) {
        return Some(written);
    }
    let number: usize = written.parse().ok()?;
    let said = match number {
        1000 => THOUSAND,
        0..20 => ONES[number],
        20..100 if number.is_multiple_of(10) => TENS[number / 10],
        100..1000 if number.is_multiple_of(100) => HUNDREDS[number / 100],
        _ => return None,
    };
    Some(said)
}

//! The formats of the file that speech comes as.

use std::str::FromStr;

use super::{Unknown, WAV};

/// Format of the file that speech comes as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SpeechFormat {
    /// Samples of 16 bits behind a header. The default.
    #[default]
    Wav,
    /// MPEG Audio Layer III, 64 kbit/s.
    Mp3,
    /// Opus in Ogg, about 32 kbit/s.
    Opus,
    /// FLAC: the same samples, in less room.
    Flac,
    /// The samples alone, little-endian.
    Pcm,
}

impl SpeechFormat {
    /// All formats, as they are listed in messages.
    pub const ALL: [SpeechFormat; 5] = [
        SpeechFormat::Wav,
        SpeechFormat::Mp3,
        SpeechFormat::Opus,
        SpeechFormat::Flac,
        SpeechFormat::Pcm,
    ];

    /// The name, as requests carry it; also the ending of a file's name.
    pub const fn name(self) -> &'static str {
        match self {
            SpeechFormat::Wav => "wav",
            SpeechFormat::Mp3 => "mp3",
            SpeechFormat::Opus => "opus",
            SpeechFormat::Flac => "flac",
            SpeechFormat::Pcm => "pcm",
        }
    }

    /// The name as results carry it, which requests may, too.
    pub const fn title(self) -> &'static str {
        match self {
            SpeechFormat::Wav => WAV,
            SpeechFormat::Mp3 => "MP3",
            SpeechFormat::Opus => "Opus",
            SpeechFormat::Flac => "FLAC",
            SpeechFormat::Pcm => "PCM",
        }
    }

    /// The media type.
    pub const fn media_type(self) -> &'static str {
        match self {
            SpeechFormat::Wav => "audio/wav",
            SpeechFormat::Mp3 => "audio/mpeg",
            SpeechFormat::Opus => "audio/ogg",
            SpeechFormat::Flac => "audio/flac",
            SpeechFormat::Pcm => "audio/pcm;rate=24000;channels=1",
        }
    }
}

impl FromStr for SpeechFormat {
    type Err = Unknown;

    /// Takes a name in any letter case, and `ogg` for what Opus comes in.
    fn from_str(name: &str) -> Result<Self, Unknown> {
        let is_named = |format: &SpeechFormat| {
            format.name().eq_ignore_ascii_case(name)
                || *format == SpeechFormat::Opus && name.eq_ignore_ascii_case("ogg")
        };
        Self::ALL.into_iter().find(is_named).ok_or(Unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_may_carry_the_name_of_results_too() {
        for format in SpeechFormat::ALL {
            assert_eq!(format.name().parse(), Ok(format));
            assert_eq!(format.title().parse(), Ok(format));
        }
        assert_eq!("Ogg".parse(), Ok(SpeechFormat::Opus));
        assert_eq!("aac".parse::<SpeechFormat>(), Err(Unknown));
    }
}

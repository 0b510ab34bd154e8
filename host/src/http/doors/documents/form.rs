//! Forms as docling-serve's, Mistral's and Tika's clients send them: files, and fields that may be there several times.
//!
//! The parser is the crate `multer`, as in the components, where the same bytes are read again: here the file is only taken
//! out of one form to be put into another.

use bytes::Bytes;
use futures_util::stream;
use multer::Multipart;
use quartet_api::Code;

use crate::failure::Failure;

/// Most parts of a form: docling-serve knows about fifty fields.
const MAX_PARTS: usize = 200;

/// A form.
#[derive(Debug, Default)]
pub struct Form {
    /// The files in the part for files, with their names.
    pub files: Vec<(String, Bytes)>,
    /// All other fields, in order.
    fields: Vec<(String, String)>,
}

impl Form {
    /// A form with these files, and these other fields in their order.
    pub fn of(files: Vec<(String, Bytes)>, fields: Vec<(String, String)>) -> Self {
        Self { files, fields }
    }

    /// Reads a form whose files are in the part `file_part`.
    ///
    /// # Errors
    /// When it is none.
    pub async fn read(content_type: &str, body: Bytes, file_part: &str) -> Result<Self, Failure> {
        Self::read_parts(content_type, body, Some(file_part)).await
    }

    /// Reads a form whose files are in parts of any name.
    ///
    /// # Errors
    /// When it is none.
    pub async fn read_any(content_type: &str, body: Bytes) -> Result<Self, Failure> {
        Self::read_parts(content_type, body, None).await
    }

    async fn read_parts(content_type: &str, body: Bytes, file_part: Option<&str>) -> Result<Self, Failure> {
        let boundary = multer::parse_boundary(content_type).map_err(|_| {
            Failure::new(
                Code::UnsupportedMediaType,
                "the header Content-Type is not multipart/form-data with a boundary",
            )
        })?;
        let whole = stream::iter([Ok::<_, std::convert::Infallible>(body)]);
        let mut parts = Multipart::new(whole, boundary);
        let mut form = Self::default();
        let mut count = 0;
        while let Some(part) = parts.next_field().await.map_err(malformed)? {
            count += 1;
            if count > MAX_PARTS {
                return Err(Failure::new(
                    Code::InvalidMultipart,
                    format!("the form has more than {MAX_PARTS} parts"),
                ));
            }
            let name = part.name().unwrap_or_default().to_owned();
            let file_name = part.file_name().map(str::to_owned);
            let bytes = part.bytes().await.map_err(malformed)?;
            match file_name {
                Some(file_name) if file_part.is_none_or(|part| name == part) => form.files.push((file_name, bytes)),
                _ => form.fields.push((name, String::from_utf8_lossy(&bytes).into_owned())),
            }
        }
        Ok(form)
    }

    /// All values of a field.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let fields = self.fields.iter().filter(move |(known, _)| known == name);
        fields.map(|(_, value)| value.as_str())
    }
}

fn malformed(error: multer::Error) -> Failure {
    Failure::new(
        Code::InvalidMultipart,
        format!("the form is not valid multipart/form-data: {error}"),
    )
}

//! Upload of a picture: the form, the picture, and its record.

use quartet_api::Code;
use quartet_api::image::FILE_PART;
use quartet_component_sdk::multipart::{self, Form};
use quartet_component_sdk::{Failure, Request, Response, Session};
use serde::Serialize;

use super::Context;
use quartet_image_analysis::chat::record::Record;
use quartet_image_analysis::describe::colours::Palette;
use quartet_image_analysis::facts;
use quartet_image_analysis::picture::{Decoded, PictureError, decode, decode_with};

/// Uploaded picture.
pub(super) struct Upload {
    /// The picture.
    pub decoded: Decoded,
    /// Session of the client.
    pub session: Session,
    /// The form, whose file is empty by now.
    pub form: Form,
}

impl Upload {
    /// Reads the form and decodes its picture. `fields` may stand beside it.
    pub fn read(request: &mut Request, fields: &[&str]) -> Result<Self, Failure> {
        Self::decoded(request, fields, decode)
    }

    /// The same, for an operation to which about `enough` pixels of a large picture say all.
    pub fn read_with(request: &mut Request, fields: &[&str], enough: usize) -> Result<Self, Failure> {
        Self::decoded(request, fields, |bytes| decode_with(bytes, enough))
    }

    fn decoded(
        request: &mut Request,
        fields: &[&str],
        decode: impl Fn(&[u8]) -> Result<Decoded, PictureError>,
    ) -> Result<Self, Failure> {
        let session = Session::of(request)?;
        let mut form = multipart::read_form(request, &[FILE_PART], fields)?;
        // The file is given back before models need memory.
        let decoded = decode(&std::mem::take(&mut form.file.bytes)).map_err(picture_failure)?;
        Ok(Self { decoded, session, form })
    }

    /// Creates a record of size and colours only.
    pub fn record(&self, palette: &Palette) -> Record {
        Record {
            picture: facts::picture(&self.decoded),
            colours: facts::colours(palette),
            light: facts::light(palette),
            lines: None,
            unread: 0,
            objects: None,
            kind: None,
            tags: Vec::new(),
            description: None,
        }
    }

    /// Stores the record and creates the response.
    pub fn answer<T: Serialize>(
        mut self,
        context: &Context<'_>,
        record: &Record,
        result: impl FnOnce(String) -> T,
    ) -> Result<Response, Failure> {
        self.session.begin((context.random)());
        let id = context.pictures().remember(&self.session, (context.random)(), record)?;
        let mut response = Response::success(&result(id));
        self.session.announce(&mut response);
        Ok(response)
    }
}

fn picture_failure(error: PictureError) -> Failure {
    let code = match error {
        PictureError::OtherKind { .. } | PictureError::Unsupported { .. } => Code::UnsupportedMediaType,
        PictureError::Damaged { .. } => Code::InvalidPicture,
        PictureError::TooManyPixels { .. } | PictureError::TooManyBytes { .. } => Code::PictureTooLarge,
    };
    Failure::new(code, format!("the file in part `{FILE_PART}` {error}"))
}

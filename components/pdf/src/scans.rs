//! OCR of scanned pages, with the models of `quartet-ocr`.

use quartet_inference::{GraphError, Graphs};
use quartet_ocr::{Picture, TimeIsUp};
use quartet_pdf_text::{Ocr, PageImage, RecognisedLine, RecognisedPage};

/// OCR engine for scanned pages.
pub struct Scans<'a> {
    /// The models.
    pub graphs: &'a dyn Graphs,
    /// Deadline: returns true once a page must be left as far as it was read.
    pub time_is_up: TimeIsUp<'a>,
}

impl Ocr for Scans<'_> {
    fn read(&self, page: PageImage) -> Result<RecognisedPage, String> {
        let picture = Picture::new(page.width as usize, page.height as usize, page.pixels)
            .ok_or_else(|| "its picture is empty".to_owned())?;
        let reading = quartet_ocr::read(&picture, self.graphs, self.time_is_up).map_err(reason)?;
        let weight: f32 = reading.lines.iter().map(|line| line.place.width).sum();
        let certain: f32 = reading
            .lines
            .iter()
            .map(|line| line.confidence * line.place.width)
            .sum();
        let unread = reading.surely_unread();
        let lines = reading.lines.into_iter().map(|line| RecognisedLine {
            text: line.text,
            centre: (f64::from(line.place.centre.x), f64::from(line.place.centre.y)),
            length: f64::from(line.place.width),
            height: f64::from(line.place.height),
            angle: f64::from(line.place.angle),
        });
        Ok(RecognisedPage {
            lines: lines.collect(),
            unread,
            confidence: if weight > 0.0 { certain / weight } else { 0.0 },
            stopped: reading.stopped,
        })
    }
}

/// Reason why a page was not read, for people; the rest is for the log.
fn reason(error: GraphError) -> String {
    eprintln!("{error}");
    match error {
        GraphError::Unknown(graph) | GraphError::Missing { graph, .. } => {
            format!("that needs the model {graph}, which is not there")
        }
        GraphError::OutOfBudget => "that needs more computation than one request may use".to_owned(),
        GraphError::InvalidInput(_) | GraphError::TooLarge(_) | GraphError::Failed(_) => {
            "a model failed at it".to_owned()
        }
    }
}

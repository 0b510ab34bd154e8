//! Files to send: made here, so that what is in them is known.

/// A PDF with a page for each list of lines.
pub fn pdf(pages: &[&[&str]]) -> Vec<u8> {
    let mut objects = String::new();
    let mut kids = String::new();
    for (index, lines) in pages.iter().enumerate() {
        let number = 10 + 2 * index;
        let mut content = String::new();
        for (row, line) in lines.iter().enumerate() {
            content += &format!("BT /F 10 Tf 1 0 0 1 50 {} Tm ({line}) Tj ET\n", 700 - 12 * row);
        }
        kids += &format!("{number} 0 R ");
        objects += &format!(
            "{number} 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents {} 0 R/Resources<</Font<</F<</Type/Font\
             /Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n{} 0 obj<</Length {}>>stream\n{content}\nendstream endobj\n",
            number + 1,
            number + 1,
            content.len()
        );
    }
    // Without a cross-reference table, as broken files are.
    format!(
        "%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R/Lang(en)>>endobj\n2 0 obj<</Type/Pages/Kids[{kids}]/Count {}>>endobj\n\
         {objects}trailer<</Root 1 0 R/Size 99>>\n",
        pages.len()
    )
    .into_bytes()
}

/// A bitmap file of pixels: red, green, blue.
///
/// # Panics
/// When there are too many.
pub fn bitmap_file(width: usize, height: usize, pixels: &[[u8; 3]]) -> Vec<u8> {
    let row_bytes = (width * 3).next_multiple_of(4);
    let mut file = b"BM".to_vec();
    let number = |value: usize| u32::try_from(value).expect("a small number").to_le_bytes();
    file.extend(number(54 + row_bytes * height));
    file.extend([0; 4]);
    file.extend([number(54), number(40), number(width), number(height)].concat());
    file.extend([1, 0, 24, 0]);
    file.extend([0; 24]);
    for row in pixels.chunks(width).rev() {
        let bytes: Vec<u8> = row
            .iter()
            .flat_map(|[red, green, blue]| [*blue, *green, *red])
            .collect();
        file.extend(&bytes);
        file.extend(vec![0; row_bytes - bytes.len()]);
    }
    file
}

// A PDF like those of scanners: pictures of pages, and no text.
import { capture } from './common.mjs';

/** Width and height of a page, in pixels. */
const [WIDTH, HEIGHT] = [900, 640];

/** Makes one of texts, a page each, whose pictures the browser of `page` takes. */
export async function scan(page, texts) {
  const pictures = [];
  await page.setViewportSize({ width: WIDTH, height: HEIGHT });
  for (const text of texts) {
    await page.setContent('<body style="margin: 60px; font: 30px/1.6 sans-serif; background: white; color: black"></body>');
    await page.evaluate((said) => { document.body.textContent = said; }, text);
    pictures.push(await capture(page, { type: 'jpeg', quality: 85 }));
  }
  return pdf(pictures);
}

function pdf(pictures) {
  const pieces = [];
  const places = [];
  let length = 0;
  const write = (data) => {
    const bytes = Buffer.from(data);
    pieces.push(bytes);
    length += bytes.length;
  };
  const object = (head, stream) => {
    places.push(length);
    write(`${places.length} 0 obj\n<< ${head}${stream ? ` /Length ${stream.length}` : ''} >>\n`);
    if (stream) {
      write('stream\n');
      write(stream);
      write('\nendstream\n');
    }
    write('endobj\n');
  };
  const first = 3;
  write('%PDF-1.4\n');
  object('/Type /Catalog /Pages 2 0 R');
  object(`/Type /Pages /Count ${pictures.length} /Kids [${pictures.map((_, index) => `${first + 3 * index} 0 R`).join(' ')}]`);
  pictures.forEach((picture, index) => {
    const at = first + 3 * index;
    object(`/Type /Page /Parent 2 0 R /MediaBox [0 0 ${WIDTH / 2} ${HEIGHT / 2}] /Resources << /XObject << /P ${at + 1} 0 R >> >> /Contents ${at + 2} 0 R`);
    object(`/Type /XObject /Subtype /Image /Width ${WIDTH} /Height ${HEIGHT} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode`, picture);
    object('', Buffer.from(`${WIDTH / 2} 0 0 ${HEIGHT / 2} 0 0 cm /P Do`));
  });
  const table = length;
  write(`xref\n0 ${places.length + 1}\n0000000000 65535 f \n${places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')}`);
  write(`trailer\n<< /Size ${places.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`);
  return Buffer.concat(pieces);
}

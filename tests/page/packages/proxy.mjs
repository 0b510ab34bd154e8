// Stands between the browser and the service, so that a test can take the service away, put another one in its place, or
// have it be of another version, all at one address.
import http from 'node:http';

/** Digests in what a service answers, for those of another version. */
const OTHER = 'feedfeedfeedfeed';

/** Listens at a free port. `to` is whom it asks, nobody where it is null; with `newer` the page is of another version. */
export async function proxy(to) {
  const state = { to, newer: false, folder: null, asked: [] };
  const server = http.createServer((request, response) => {
    state.asked.push(`${request.method} ${request.url}`);
    if (!state.to) return request.socket.destroy();
    const target = new URL(state.to);
    const path = state.newer && state.folder ? request.url.replace(OTHER, state.folder) : request.url;
    // With the name under which it was asked, as proxies keep it: the service compares it with the page's origin.
    const headers = { ...request.headers };
    // Texts are written over.
    delete headers['accept-encoding'];
    delete headers['if-none-match'];
    const asked = http.request({ host: target.hostname, port: target.port, method: request.method, path, headers }, (answer) => {
      const whole = request.url === '/' || request.url === '/worker.js';
      if (!whole) {
        response.writeHead(answer.statusCode, answer.headers);
        answer.pipe(response);
        answer.on('error', () => response.destroy());
        return;
      }
      const pieces = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('end', () => {
        let text = Buffer.concat(pieces).toString();
        state.folder ??= /\/page\/([0-9a-f]{16})\//.exec(text)?.[1];
        if (state.newer) text = text.replaceAll(`/page/${state.folder}/`, `/page/${OTHER}/`).replace(/(\$\{PREFIX\})[0-9a-f]{16}/, `$1${OTHER}`);
        const { 'content-length': _, etag: __, ...rest } = answer.headers;
        response.writeHead(answer.statusCode, { ...rest, 'content-length': Buffer.byteLength(text) });
        response.end(text);
      });
    });
    asked.on('error', () => response.destroy());
    response.on('close', () => asked.destroy());
    request.pipe(asked);
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return {
    state,
    origin: `http://127.0.0.1:${server.address().port}`,
    /** Asks somebody else from now on; with null, nobody. Connections end. */
    turn(other) {
      state.to = other;
      server.closeAllConnections();
    },
    close: () => new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    }),
  };
}

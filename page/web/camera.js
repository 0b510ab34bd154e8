/** The camera: shown in a dialog, and a picture of it on request. What it sees stays in the browser until then. */
import { html } from './library/lit-element.js';
import { icon } from './icons.js';
import { t } from './texts.js';
import { View } from './view.js';

class Camera extends View {
  static properties = { problem: { state: true } };

  async firstUpdated() {
    this.querySelector('dialog').showModal();
    try {
      // There is none on pages without TLS, but for those of the machine itself.
      if (!navigator.mediaDevices) throw new Error(t('noCamera'));
      this.stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: { ideal: 1920 } } });
      if (!this.isConnected) return this.release();
      const video = this.querySelector('video');
      video.srcObject = this.stream;
      await video.play();
    } catch (error) {
      this.problem = error.message;
    }
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.release();
  }

  release() {
    for (const track of this.stream?.getTracks() ?? []) track.stop();
  }

  take() {
    const video = this.querySelector('video');
    const canvas = document.createElement('canvas');
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext('2d').drawImage(video, 0, 0);
    canvas.toBlob((blob) => {
      this.dispatchEvent(new CustomEvent('picture', { detail: new File([blob], 'camera.jpg', { type: 'image/jpeg' }) }));
    }, 'image/jpeg', 0.92);
  }

  render() {
    return html`<dialog aria-label=${t('camera')} @close=${() => this.dispatchEvent(new CustomEvent('close'))}>
      ${this.problem ? html`<p role="alert">${t('noCamera')} <span class="quiet" dir="auto">${this.problem}</span></p>` : html`<video muted playsinline></video>`}
      <div class="row"><button class="primary" ?disabled=${Boolean(this.problem)} @click=${() => this.take()}>${icon('camera')}${t('takePicture')}</button>
        <button @click=${() => this.querySelector('dialog').close()}>${icon('close')}${t('close')}</button></div></dialog>`;
  }
}
customElements.define('quartet-camera', Camera);

(() => {
  "use strict";
  const form = document.getElementById("form");
  const input = document.getElementById("passphrase");
  const button = document.getElementById("open");
  const status = document.getElementById("status");
  const sealed = document.getElementById("sealed");
  const bytes = (base64) => Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));

  const deriveKey = async (passphrase) => {
    const secret = new TextEncoder().encode(passphrase);
    const base = await crypto.subtle.importKey("raw", secret, "PBKDF2", false, ["deriveKey"]);
    const { salt, iterations } = sealed.dataset;
    return crypto.subtle.deriveKey(
      { name: "PBKDF2", hash: "SHA-256", salt: bytes(salt), iterations: Number(iterations) },
      base,
      { name: "AES-GCM", length: 256 },
      false,
      ["decrypt"],
    );
  };
  const decrypt = async (key) => {
    const prefix = bytes(sealed.dataset.prefix);
    const lines = sealed.textContent.trim().split("\n");
    const chunks = [];
    for (const [index, line] of lines.entries()) {
      const iv = new Uint8Array(12);
      iv.set(prefix);
      new DataView(iv.buffer).setUint32(7, index);
      iv[11] = index === lines.length - 1 ? 1 : 0;
      chunks.push(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, bytes(line)));
    }
    const stream = new Blob(chunks).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream).text();
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!globalThis.crypto?.subtle || typeof DecompressionStream !== "function") {
      status.textContent = "This browser cannot decrypt the page. Open it in a newer one.";
      return;
    }
    button.disabled = true;
    status.textContent = "Decrypting…";
    let page;
    try {
      page = await decrypt(await deriveKey(input.value));
    } catch {
      status.textContent = "The passphrase is wrong, or the page was changed.";
      button.disabled = false;
      input.select();
      return;
    }
    document.open();
    document.write(page);
    document.close();
  });
  input.focus();
})();

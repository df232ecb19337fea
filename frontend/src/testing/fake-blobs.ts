// Answers /blob/… in `vite dev`, where no Go is there to answer it.

import { deflateSync } from "node:zlib";
import type { Plugin } from "vite";

/** The development server's stand-in for the blobs: a picture, or a long text if the hash names one. */
export function fakeBlobs(): Plugin {
  return {
    name: "fake-blobs",
    apply: "serve",
    configureServer(server) {
      server.middlewares.use("/blob/", (request, response) => {
        if (request.url?.includes("text")) {
          response.setHeader("Content-Type", "text/plain; charset=utf-8");
          response.end("a line of a long output\n".repeat(20_000));
          return;
        }
        response.setHeader("Content-Type", "image/png");
        response.end(gradient(640, 360));
      });
    },
  };
}

function gradient(width: number, height: number): Buffer {
  const rows = Buffer.alloc((width * 3 + 1) * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (width * 3 + 1) + 1 + x * 3;
      rows[at] = (42 + (x * 90) / width) | 0;
      rows[at + 1] = 117;
      rows[at + 2] = (72 + (y * 90) / height) | 0;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

function crc(bytes: Buffer): number {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value ^= byte;
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  return (value ^ 0xffffffff) >>> 0;
}

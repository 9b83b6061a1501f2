package com.clawseed.inspector.companion;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** Cuts a byte stream into request objects (section 2). After a bad line it is of no more use. */
final class LineReader {
    /** The longest line in either direction, in bytes, its newline included. */
    static final int MAX_LINE_BYTES = 4 * 1024 * 1024;

    private final InputStream input;
    private final byte[] chunk = new byte[16 * 1024];
    private int from;
    private int to;

    LineReader(InputStream input) {
        this.input = input;
    }

    /** The next object; null at the end of the stream. Throws BAD_FRAME. */
    Map<?, ?> next() throws IOException, ProtocolException {
        byte[] line = new byte[0];
        int size = 0;
        for (;;) {
            if (from == to) {
                from = 0;
                to = Math.max(0, input.read(chunk));
                if (to == 0) {
                    return null;
                }
            }
            int end = from;
            while (end < to && chunk[end] != '\n') {
                end++;
            }
            int piece = end - from;
            if (size + piece + 1 > MAX_LINE_BYTES) {
                throw bad("is longer than " + MAX_LINE_BYTES + " bytes");
            }
            if (size + piece > line.length) {
                line = Arrays.copyOf(line, Math.min(MAX_LINE_BYTES, Math.max(size + piece, line.length * 2)));
            }
            System.arraycopy(chunk, from, line, size, piece);
            size += piece;
            from = end;
            if (end < to) {
                from++;
                return parse(line, size);
            }
        }
    }

    private static Map<?, ?> parse(byte[] line, int size) throws ProtocolException {
        if (size == 0) {
            throw bad("is empty");
        }
        Object value;
        try {
            value = Json.parse(StandardCharsets.UTF_8.newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(line, 0, size))
                    .toString());
        } catch (CharacterCodingException e) {
            throw bad("is not valid UTF-8");
        } catch (Json.SyntaxException e) {
            throw bad("is not JSON");
        }
        if (!(value instanceof Map)) {
            throw bad("is not a JSON object");
        }
        return (Map<?, ?>) value;
    }

    private static ProtocolException bad(String what) {
        return new ProtocolException("BAD_FRAME", "The line " + what);
    }
}

package io.idempotent.embedded;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * What a server says while it starts. Readable even after the file was removed.
 */
final class ServerLog implements AutoCloseable {

	private final RandomAccessFile file;

	private ServerLog(RandomAccessFile file) {
		this.file = file;
	}

	static ServerLog open(Path path) throws IOException {
		return new ServerLog(new RandomAccessFile(path.toFile(), "r"));
	}

	boolean saysReady() {
		String text = text();
		return text.contains("Ready to accept connections") || text.contains("Sentinel ID is");
	}

	boolean saysPortTaken() {
		return text().contains("Failed listening on port");
	}

	String text() {
		try {
			byte[] content = new byte[(int) this.file.length()];
			this.file.seek(0);
			this.file.readFully(content);
			return new String(content, StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public void close() throws IOException {
		this.file.close();
	}

}

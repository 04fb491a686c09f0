package io.idempotent.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class FaultyProxyTests {

	private static final int OVER = -1;

	private ServerSocket server;

	private FaultyProxy network;

	@BeforeEach
	void start() throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		this.network = new FaultyProxy("127.0.0.1", this.server.getLocalPort());
	}

	@AfterEach
	void stop() throws IOException {
		this.network.close();
		this.server.close();
	}

	private void assertPassesBytes() throws IOException {
		try (Socket client = connect(); Socket peer = this.server.accept()) {
			send(client, 1);
			assertThat(read(peer)).isEqualTo(1);
			send(peer, 2);
			assertThat(read(client)).isEqualTo(2);
		}
	}

	@Test
	void aFrozenNetworkPassesNothingUntilThawed() throws IOException {
		try (Socket client = connect(); Socket peer = this.server.accept()) {
			this.network.freeze();
			this.network.freeze();
			send(client, 1);
			send(peer, 2);
			assertSilent(peer);
			assertSilent(client);
			this.network.thaw();
			assertThat(read(peer)).isEqualTo(1);
			assertThat(read(client)).isEqualTo(2);
		}
	}

	@Test
	void aFrozenReplyIsLostWithItsConnection() throws IOException {
		try (Socket client = connect(); Socket peer = this.server.accept()) {
			this.network.freezeReplies();
			send(client, 1);
			assertThat(read(peer)).isEqualTo(1);
			send(peer, 2);
			assertSilent(client);
			this.network.breakConnections();
			this.network.thawReplies();
			assertThat(read(client)).isEqualTo(OVER);
			assertThat(read(peer)).isEqualTo(OVER);
		}
		assertPassesBytes();
	}

	@Test
	void theNextReplyIsDroppedWithItsConnectionAndNoOther() throws IOException {
		try (Socket client = connect(); Socket peer = this.server.accept()) {
			this.network.dropNextReply();
			send(client, 1);
			assertThat(read(peer)).isEqualTo(1);
			send(peer, 2);
			assertThat(read(client)).isEqualTo(OVER);
		}
		assertPassesBytes();
	}

	@Test
	void aPartitionClosesExistingAndNewConnections() throws IOException {
		try (Socket client = connect(); Socket peer = this.server.accept()) {
			this.network.partition();
			assertThat(read(client)).isEqualTo(OVER);
			assertThat(read(peer)).isEqualTo(OVER);
		}
		try (Socket client = connect(); Socket peer = this.server.accept()) {
			assertThat(read(client)).isEqualTo(OVER);
			assertThat(read(peer)).isEqualTo(OVER);
		}
		this.network.heal();
		assertPassesBytes();
	}

	private Socket connect() throws IOException {
		Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.network.port());
		socket.setTcpNoDelay(true);
		return socket;
	}

	private static void send(Socket socket, int octet) throws IOException {
		socket.getOutputStream().write(octet);
		socket.getOutputStream().flush();
	}

	private static int read(Socket socket) {
		return read(socket, 10_000);
	}

	private static int read(Socket socket, int timeoutMillis) {
		try {
			socket.setSoTimeout(timeoutMillis);
			return socket.getInputStream().read();
		}
		catch (SocketException ex) {
			return OVER;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void assertSilent(Socket socket) {
		assertThatExceptionOfType(UncheckedIOException.class).isThrownBy(() -> read(socket, 100))
			.withCauseInstanceOf(SocketTimeoutException.class);
	}

}

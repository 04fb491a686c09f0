package io.idempotent.benchmarks.replay;

import org.springframework.integration.metadata.ConcurrentMetadataStore;
import org.springframework.integration.selector.MetadataStoreSelector;
import org.springframework.messaging.support.GenericMessage;

/**
 * Spring Integration's idempotent receiver: asks its metadata store, and lets pass what
 * it could put there. It keeps no answer and forgets nothing.
 */
final class MetadataStoreReceiver implements ReplayWay {

	private final MetadataStoreSelector selector;

	MetadataStoreReceiver(ConcurrentMetadataStore store) {
		this.selector = new MetadataStoreSelector((message) -> (String) message.getPayload(), null, store);
	}

	@Override
	public void first(String key) {
		require(key, true);
	}

	@Override
	public void duplicate(String key) {
		require(key, false);
	}

	private void require(String key, boolean accepted) {
		if (this.selector.accept(new GenericMessage<>(key)) != accepted) {
			throw new IllegalStateException("Accepted: " + !accepted);
		}
	}

}

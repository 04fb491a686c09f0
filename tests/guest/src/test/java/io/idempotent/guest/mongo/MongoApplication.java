package io.idempotent.guest.mongo;

import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.data.annotation.Id;
import org.springframework.data.mongodb.core.mapping.Document;

/**
 * Has a document and a repository.
 */
@SpringBootApplication
public class MongoApplication {

	/**
	 * A pet.
	 */
	@Document
	record Pet(@Id String id, String name) {
	}

}

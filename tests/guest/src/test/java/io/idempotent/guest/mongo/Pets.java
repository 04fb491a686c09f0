package io.idempotent.guest.mongo;

import io.idempotent.guest.mongo.MongoApplication.Pet;

import org.springframework.data.mongodb.repository.MongoRepository;

/** Not nested, since Spring Data finds no nested repositories. */
interface Pets extends MongoRepository<Pet, String> {

}

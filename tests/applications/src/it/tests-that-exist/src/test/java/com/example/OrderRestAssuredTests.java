package com.example;

import io.restassured.RestAssured;
import io.restassured.http.ContentType;
import io.restassured.specification.RequestSpecification;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;

import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.not;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
class OrderRestAssuredTests {

	@LocalServerPort
	private int port;

	@BeforeEach
	void connect() {
		RestAssured.port = this.port;
	}

	@Test
	void placesAnOrder() {
		order("tea").post("/orders").then().statusCode(201).body("article", equalTo("tea"));
	}

	@Test
	void placesTheSameOrderTwice() {
		int first = order("tea").post("/orders").then().statusCode(201).extract().path("id");
		order("tea").post("/orders").then().statusCode(201).body("id", not(equalTo(first)));
	}

	@Test
	void changesAnOrder() {
		String order = order("tea").post("/orders").getHeader("Location");
		order("mate").put(order).then().statusCode(200).body("article", equalTo("mate"));
	}

	@Test
	void takesAReview() {
		RestAssured.given()
			.redirects()
			.follow(false)
			.formParam("text", "good")
			.post("/reviews")
			.then()
			.statusCode(302)
			.header("Location", endsWith("/reviews/count"));
	}

	@Test
	void takesAReviewInAFile() {
		RestAssured.given()
			.redirects()
			.follow(false)
			.multiPart("text", "review.txt", "better".getBytes())
			.post("/reviews/file")
			.then()
			.statusCode(302);
	}

	private static RequestSpecification order(String article) {
		return RestAssured.given().contentType(ContentType.JSON).body("{\"article\":\"" + article + "\"}");
	}

}

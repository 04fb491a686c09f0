package com.example;

import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.http.MediaType;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.mock.web.MockMultipartFile;
import org.springframework.test.web.servlet.MockMvc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.multipart;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.jsonPath;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.redirectedUrl;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.status;

@SpringBootTest
@AutoConfigureMockMvc
class OrderMvcTests {

	@Autowired
	private MockMvc mvc;

	@Autowired
	private JdbcClient sql;

	@Test
	void placesAnOrder() throws Exception {
		this.mvc.perform(post("/orders").contentType(MediaType.APPLICATION_JSON).content("{\"article\":\"tea\"}"))
			.andExpect(status().isCreated())
			.andExpect(jsonPath("$.article").value("tea"));
	}

	@Test
	void placesTheSameOrderTwice() throws Exception {
		for (int i = 0; i < 2; i++) {
			this.mvc.perform(post("/orders").contentType(MediaType.APPLICATION_JSON).content("{\"article\":\"mate\"}"))
				.andExpect(status().isCreated());
		}
		assertThat(this.sql.sql("select count(*) from orders where article = 'mate'").query(Long.class).single())
			.isEqualTo(2);
	}

	@Test
	void refusesAnOrderOfNothing() throws Exception {
		this.mvc.perform(post("/orders").contentType(MediaType.APPLICATION_JSON).content("{}"))
			.andExpect(status().isBadRequest())
			.andExpect(status().reason("an article is missing"));
	}

	@Test
	void takesAReview() throws Exception {
		this.mvc.perform(post("/reviews").param("text", "good"))
			.andExpect(status().isFound())
			.andExpect(redirectedUrl("/reviews/count"));
	}

	@Test
	void takesAReviewInAFile() throws Exception {
		this.mvc.perform(multipart("/reviews/file").file(new MockMultipartFile("text", "better".getBytes())))
			.andExpect(status().isFound());
		assertThat(this.sql.sql("select count(*) from reviews where text = 'better'").query(Long.class).single())
			.isEqualTo(1);
	}

}

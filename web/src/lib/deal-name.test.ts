import { expect, it } from "vitest";
import { dealName } from "./deal-name";

it("takes a number alone as a deal of our own", () => {
  expect(dealName(" 617 ")).toBe("cadogan:617");
  expect(dealName("#617")).toBe("cadogan:617");
  expect(dealName("1,000,000")).toBe("cadogan:1000000");
  expect(dealName("1_000 000")).toBe("cadogan:1000000");
});

it("leaves everything else to the server", () => {
  expect(dealName("ms : 617")).toBe("ms:617");
  expect(dealName("what")).toBe("what");
});

import { describe, expect, it } from "vitest";
import { ratingChange } from "./puzzle";

describe("a change of a rating", () => {
  it("has a sign", () => {
    expect(ratingChange(1500, 1512)).toBe("+12");
    expect(ratingChange(1500, 1493)).toBe("−7");
    expect(ratingChange(1500, 1500)).toBe("±0");
  });
});

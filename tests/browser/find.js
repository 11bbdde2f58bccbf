// What is wrong with the drawings of a page: run in the page, all parts unfolded; gives lists of sentences.
() => {
  const found = { overlapping: [], cut: [], small: [], pale: [], wide: [] };
  const shown = element => element.textContent.trim().slice(0, 40);
  // The corners of a text as it stands, turned or not; a line's box has room above and below its letters, which may touch.
  const corners = text => {
    const box = text.getBBox(), matrix = text.getScreenCTM(), trim = 0.16 * box.height;
    return [[box.x, box.y + trim], [box.x + box.width, box.y + trim], [box.x + box.width, box.y + box.height - trim],
      [box.x, box.y + box.height - trim]].map(([x, y]) => ({
      x: matrix.a * x + matrix.c * y + matrix.e, y: matrix.b * x + matrix.d * y + matrix.f }));
  };
  // Two turned boxes touch unless an edge of one of them parts them.
  const touching = (a, b) => [a, b].every(box => box.slice(0, 2).every((from, i) => {
    const to = box[i + 1], normal = { x: to.y - from.y, y: from.x - to.x };
    const ends = corners => corners.map(p => p.x * normal.x + p.y * normal.y);
    const [first, second] = [ends(a), ends(b)], slack = 0.5 * Math.hypot(normal.x, normal.y);
    return Math.max(...first) > Math.min(...second) + slack && Math.max(...second) > Math.min(...first) + slack;
  }));
  const channels = colour => (colour.match(/[\d.]+/g) || []).slice(0, 3).map(Number);
  const luminance = colour => channels(colour).map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
  const contrast = (a, b) => { const [x, y] = [luminance(a), luminance(b)]; return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05); };
  const over = (top, opacity, ground) => {
    const [a, b] = [channels(top), channels(ground)];
    return `rgb(${a.map((v, i) => v * opacity + b[i] * (1 - opacity)).join(",")})`;
  };
  const paper = getComputedStyle(document.documentElement).backgroundColor;
  document.querySelectorAll("figure svg").forEach(svg => {
    const name = svg.closest("figure").id, frame = svg.getBoundingClientRect();
    const texts = [...svg.querySelectorAll("text")].filter(text => text.textContent.trim() && text.getBBox().width);
    const boxes = texts.map(corners);
    const patches = [...svg.querySelectorAll("path, use")].filter(one => getComputedStyle(one).fill !== "none" && !one.closest("defs, clipPath"));
    const covers = (patch, at) => {
      if (patch.tagName === "path") return patch.isPointInFill(at.matrixTransform(patch.getScreenCTM().inverse()));
      const box = patch.getBoundingClientRect();  // a marker
      return box.left < at.x && at.x < box.right && box.top < at.y && at.y < box.bottom;
    };
    texts.forEach((text, i) => {
      const box = boxes[i], scale = Math.hypot(text.getScreenCTM().a, text.getScreenCTM().b);
      if (box.some(p => p.x < frame.left - 1 || p.x > frame.right + 1 || p.y < frame.top - 1 || p.y > frame.bottom + 1))
        found.cut.push(`${name}: ${shown(text)}`);
      const size = scale * parseFloat(getComputedStyle(text).fontSize);
      if (size < SMALLEST) found.small.push(`${name}: ${shown(text)} ${size.toFixed(1)} px`);
      for (let j = 0; j < i; j++)
        if (touching(box, boxes[j])) found.overlapping.push(`${name}: ${shown(texts[j])} | ${shown(text)}`);
      const at = new DOMPoint((box[0].x + box[2].x) / 2, (box[0].y + box[2].y) / 2);
      let ground = paper;  // what is painted below the middle of the text, bottom first
      for (const patch of patches) {
        if (patch.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_PRECEDING) break;
        const style = getComputedStyle(patch);
        if (covers(patch, at)) ground = over(style.fill, parseFloat(style.opacity) * parseFloat(style.fillOpacity), ground);
      }
      const ratio = contrast(getComputedStyle(text).fill, ground);
      if (ratio < 4.5) found.pale.push(`${name}: ${shown(text)} ${ratio.toFixed(1)}`);
    });
  });
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth)
    document.querySelectorAll("body *").forEach(element => {
      if (element.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !element.closest(".scroll, .contents"))
        found.wide.push(`${element.tagName}: ${shown(element)}`);
    });
  return found;
}

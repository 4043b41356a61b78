"""Line charts as SVG, for measurements that draw a figure of a paper."""

import math

COLOURS = ["#1b6ca8", "#c8553d", "#3c8d5a", "#7b5ea7", "#b08900", "#555555"]


def draw(path, title, x_title, y_title, series, y_range=None, log_x=False, log_y=False):
    """series: {name: [(x, y), ...]}; one point by itself is a dot."""
    along, back = (math.log, math.exp) if log_x else (float, float)
    up, down = (math.log, math.exp) if log_y else (float, float)
    points = [p for line in series.values() for p in line]
    x0, x1 = along(min(p[0] for p in points)), along(max(p[0] for p in points))
    y0, y1 = map(up, y_range or (min(p[1] for p in points), max(p[1] for p in points)))
    width, height, left, top = 760, 420, 70, 40

    def place(x, y):
        y = min(max(up(y), y0), y1)
        return (left + (along(x) - x0) / max(x1 - x0, 1e-9) * (width - left - 170),
                top + (y1 - y) / max(y1 - y0, 1e-9) * (height - top - 60))

    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
           f'<title>{title}</title><rect width="{width}" height="{height}" fill="white"/>',
           f'<text x="{left}" y="22" font-size="16">{title}</text>']
    for k in range(6):
        y = down(y0 + (y1 - y0) * k / 5)
        x = back(x0 + (x1 - x0) * k / 5)
        px, py = place(back(x0), y)
        out.append(f'<line x1="{px}" y1="{py:.1f}" x2="{width - 170}" y2="{py:.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{px - 8}" y="{py + 4:.1f}" text-anchor="end">{y:.4g}</text>')
        px, py = place(x, down(y0))
        out.append(f'<text x="{px:.1f}" y="{py + 20:.1f}" text-anchor="middle">{x:.4g}</text>')
    out.append(f'<text x="{(width - 100) / 2}" y="{height - 12}" text-anchor="middle">{x_title}</text>')
    out.append(f'<text x="18" y="{height / 2}" transform="rotate(-90 18 {height / 2})" text-anchor="middle">{y_title}</text>')
    for k, (name, line) in enumerate(series.items()):
        colour = COLOURS[k % len(COLOURS)]
        if len(line) == 1:
            px, py = place(*line[0])
            out.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="4" fill="{colour}"/>')
        path_text = " ".join(f"{px:.1f},{py:.1f}" for px, py in (place(*p) for p in line))
        out.append(f'<polyline points="{path_text}" fill="none" stroke="{colour}" stroke-width="2"'
                   f'{" stroke-dasharray=" + chr(34) + "6 3" + chr(34) if k % 2 else ""}/>')
        out.append(f'<text x="{width - 160}" y="{top + 18 * k + 10}" fill="{colour}">{name}</text>')
    out.append("</svg>")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")

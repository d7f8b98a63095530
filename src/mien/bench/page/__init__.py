"""A report of benches as one page of HTML: no network, no script, plots in SVG with the page's colours."""

# In ~/.gnuplot: every plot goes to Halftone's pane, when the next one or the end of gnuplot completes it.
set terminal pngcairo size 1200,900
set output "| halftone --show -"

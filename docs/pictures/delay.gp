# Four runs of delay.yaml as CSV in this folder: what the delay does, and what is left of it.
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 760,560 dynamic font "sans-serif,13" background "white"
if (format eq "png") set terminal pngcairo size 760,560 font "sans-serif,11" background "white"
set datafile separator ","
set key autotitle columnhead
set multiplot
set lmargin 10
set rmargin 3
set tmargin 2.2
set border 3
set xtics nomirror
set ytics nomirror
set grid ytics linecolor "#dddddd"
set xrange [0:8]

mm(name) = 1000 * column(name)
# Growth that the delayed equation has: root of m s^2 + c s + kn + ke exp(-s tau), in delay.md.
growth = 0.1483
set size 1,0.53
set origin 0,0.47
set label 1 "floor.x, free vibration after a jolt of half a second" at graph 0,1.08
set ylabel "displacement, mm"
set key top left horizontal samplen 2
set format x ""
late(t) = t > 2 && t < 2.5   # its line goes through the peak of this period
stats "none.csv" using "time_s":(late(column("time_s")) ? mm("floor.x.disp_m") : 0) nooutput
envelope(t) = t < 1 ? NaN : STATS_max_y * exp(growth * (t - STATS_pos_max_y))
plot "none.csv" using "time_s":(mm("floor.x.disp_m")) every 8 with lines lc "#c0392b" lw 1.2 title "10 ms late, not compensated", \
     "ideal.csv" using "time_s":(mm("floor.x.disp_m")) every 8 with lines lc "#222222" lw 1.2 title "ideal actuator", \
     "none.csv" using "time_s":(envelope(column("time_s"))) every 64 with lines dt 2 lc "#888888" title "theory's growth"

set size 1,0.49
set origin 0,0
set label 1 "difference from the ideal actuator" at graph 0,1.08
set ylabel "size, mm"
set xlabel "time, s"
set format x "%g"
set logscale y
set format y "10^{%L}"
set ytics 100
set yrange [1e-7:100]
set key bottom center horizontal samplen 2
difference(file) = sprintf("< paste -d, ideal.csv %s.csv", file)
plot difference("none") using 1:(abs(1000 * ($20 - $9))) every 8 with lines lc "#c0392b" title "not compensated", \
     difference("ats") using 1:(abs(1000 * ($20 - $9))) every 8 with lines lc "#2471a3" title "ats, told 7 ms", \
     difference("polynomial") using 1:(abs(1000 * ($20 - $9))) every 8 with lines lc "#1e8449" title "polynomial"
unset multiplot

# Four runs of examples/vehicle_bridge as CSV in this folder: where the table is, and what force comes back.
if (!exists("format")) format = "svg"
if (format eq "svg") set terminal svg size 760,840 dynamic font "sans-serif,13" background "white"
if (format eq "png") set terminal pngcairo size 760,840 font "sans-serif,11" background "white"
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
set key top right horizontal samplen 2
set xrange [1:3.7]

mm(name) = 1000 * column(name)
wheel = "table.wheel.y."
set size 1,0.34
set origin 0,0.66
set label 1 "case 2, the table under the wheel" at graph 0,1.08
set ylabel "displacement, mm"
set format x ""
plot "none.csv" using "time_s":(mm(wheel."target_m")) with lines lc "#222222" lw 1.2 title "target", \
     "none.csv" using "time_s":(mm(wheel."measured_m")) with lines lc "#c0392b" title "not compensated", \
     "both.csv" using "time_s":(mm(wheel."measured_m")) with lines lc "#2471a3" title "ATS and LQG"

set size 1,0.33
set origin 0,0.34
set label 1 "case 2, interaction force beside the weight"
set ylabel "force, N"
plot "none.csv" using "time_s":"reference.wheel.y.force_n" with lines lc "#222222" lw 1.2 title "undivided", \
     "none.csv" using "time_s":(column(wheel."force_N")) with lines lc "#c0392b" title "not compensated", \
     "both.csv" using "time_s":(column(wheel."force_N")) with lines lc "#2471a3" title "ATS and LQG"

set size 1,0.36
set origin 0,0
set label 1 "case 5, interaction force on an irregular track"
set ylabel "force, kN"
set xlabel "time, s"
set format x "%g"
set xrange [2:3]
kN(name) = 0.001 * column(name)
plot "rough.csv" using "time_s":(kN("reference.wheel.y.force_n")) with lines lc "#222222" lw 1.2 title "undivided", \
     "rough.csv" using "time_s":(kN(wheel."force_N")) with lines lc "#2471a3" title "ATS and LQG", \
     "preview.csv" using "time_s":(kN(wheel."force_N")) with lines lc "#d68910" title "with preview"
unset multiplot

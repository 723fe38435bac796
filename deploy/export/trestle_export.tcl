# Exports a model of OpenSees (Tcl) as a test file of Trestle.
#
#     source /usr/share/trestle/export/trestle_export.tcl   ;# before the first command of the model
#     ...                                                   ;# the model
#     trestle_export test.yaml --units m,N                  ;# behind it; options as of trestle_export.py
#
# OpenSees keeps no section that could be read back, so the commands are recorded while they build the model.
# trestle_export writes the recording beside the test file, and trestle_export.py translates it; set ::trestle::python
# to another interpreter than python3, or translate test.yaml.record on another host.

namespace eval ::trestle {
    variable folder [file dirname [file normalize [info script]]]
    variable python python3
    variable commands {}
    variable wiped {}
    # What is translated, and what would change a model in a way that is not: it is recorded to be refused.
    variable recorded {
        node mass fix fixX fixY fixZ element section uniaxialMaterial geomTransf beamIntegration
        rigidDiaphragm rigidLink equalDOF equalDOF_Mixed remove rayleigh region timeSeries pattern load eleLoad sp
        groundMotion imposedMotion imposedSupportMotion block2D block3D mesh remesh pc setNodeCoord setNodeDisp
        setNodeVel setNodeAccel setElementRayleighDampingFactors modalDamping modalDampingQ damping
        pressureConstraint rigidBody equationConstraint
    }

    # Wraps the commands that exist. `model` makes those of the model new, so it calls this again.
    proc wrap {} {
        variable recorded
        foreach name [concat model wipe $recorded] {
            if {[llength [info commands ::$name]] == 0 || [is_wrapped $name]} continue
            if {[llength [info commands ::trestle::real_$name]]} { rename ::trestle::real_$name {} }
            rename ::$name ::trestle::real_$name
            proc ::$name {args} "uplevel 1 \[list ::trestle::call $name \[::trestle::place\] {*}\$args\]"
        }
    }

    proc is_wrapped {name} {
        return [expr {[llength [info procs ::$name]] && [string match "*::trestle::call*" [info body ::$name]]}]
    }

    # file:line of the caller, where Tcl knows it
    proc place {} {
        if {[catch {info frame -2} frame] || ![dict exists $frame line]} { return "" }
        set file [expr {[dict exists $frame file] ? [file tail [dict get $frame file]] : "line"}]
        return "$file:[dict get $frame line]"
    }

    proc call {name place args} {
        variable commands
        variable wiped
        if {$name eq "wipe"} {
            if {[has_nodes $commands]} { set wiped [concat $commands [domain]] }
            set commands {}
        }
        set failed [catch {uplevel 1 [list ::trestle::real_$name {*}$args]} result options]
        if {$failed} { return -options $options $result }
        if {$name ne "wipe"} { lappend commands [list $place $name {*}$args] }
        if {$name in {model wipe}} wrap
        return $result
    }

    proc has_nodes {list} {
        return [expr {[lsearch -exact -index 1 $list node] >= 0}]
    }

    # What OpenSees has: it must agree with what was recorded.
    proc domain {} {
        set result {}
        foreach {kind query} {nodes getNodeTags elements getEleTags} {
            if {[llength [info commands ::$query]] && ![catch {::$query} tags]} {
                lappend result [list "" domain $kind {*}$tags]
            }
        }
        if {[llength $result] == 0} { return {} }
        foreach tag [lrange [lindex $result 0] 3 end] {
            foreach {kind query} {coordinates nodeCoord masses nodeMass} {
                if {[llength [info commands ::$query]] && ![catch {::$query $tag} values]} {
                    lappend result [list "" domain $kind $tag {*}$values]
                }
            }
        }
        return $result
    }

    proc json {words} {
        set quoted {}
        foreach word $words {
            lappend quoted "\"[string map {\\ \\\\ \" \\\" \n \\n \r \\r \t \\t} $word]\""
        }
        return "\[[join $quoted {, }]\]"
    }

    proc write {file} {
        variable commands
        variable wiped
        set lines [expr {[has_nodes $commands] || $wiped eq {} ? [concat $commands [domain]] : $wiped}]
        set channel [open $file w]
        fconfigure $channel -encoding utf-8
        foreach line $lines { puts $channel [json $line] }
        close $channel
    }
}

# trestle_export FILE --units LENGTH,FORCE ?--up y? ?--geometry linear|p-delta|corotational? ?--gravity TAG,...?
proc trestle_export {file args} {
    ::trestle::write $file.record
    set script [file join $::trestle::folder trestle_export.py]
    if {[catch {exec $::trestle::python $script $file.record --out $file {*}$args 2>@1} said]} {
        error "$said\nthe recording is $file.record; $script translates it"
    }
    puts $said
}

::trestle::wrap

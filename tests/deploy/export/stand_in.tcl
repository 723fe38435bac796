# A small stand-in for OpenSees' Tcl interpreter: `model` creates the commands of a model, `wipe` deletes them.
namespace eval stand_in {
    variable nodes {} elements {} masses {}
    proc create {} {
        proc ::node {tag args} {
            if {[dict exists $::stand_in::nodes $tag]} { error "node $tag exists" }
            dict set ::stand_in::nodes $tag [lrange $args 0 2]
        }
        proc ::mass {tag args} { dict set ::stand_in::masses $tag $args }
        proc ::element {kind tag args} { lappend ::stand_in::elements $tag }
        proc ::pattern {kind tag series body} { uplevel 1 $body }
        foreach name {fix fixX fixY fixZ section uniaxialMaterial geomTransf beamIntegration rigidDiaphragm rigidLink
                      equalDOF rayleigh load eleLoad sp timeSeries constraints analyze recorder block2D} {
            proc ::$name {args} {}
        }
    }
}
proc model {args} { stand_in::create }
proc wipe {} {
    array set ::stand_in::void {}
    set ::stand_in::nodes {}
    set ::stand_in::elements {}
    set ::stand_in::masses {}
    foreach name {node mass element pattern} { catch {rename ::$name {}} }
}
proc getNodeTags {} { dict keys $::stand_in::nodes }
proc getEleTags {} { return $::stand_in::elements }
proc nodeCoord {tag} { dict get $::stand_in::nodes $tag }
proc nodeMass {tag} {
    expr {[dict exists $::stand_in::masses $tag] ? [dict get $::stand_in::masses $tag] : {}}
}
